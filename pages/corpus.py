"""Where a first visit to /corpus begins, before app.py has ever run in this server.

Until app.py has called ``st.navigation`` once, Streamlit looks for pages in this folder by file name, and greets a
link that it does not find with "Page not found". It finds this file, which hands over to app.py.
"""

from pages._ui.serving import into_frame

into_frame()
