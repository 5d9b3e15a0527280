"""Where a first visit to /router begins, before app.py has ever run in this server; see pages/compare.py."""

from pages._ui.serving import into_frame

into_frame()
