"""What every page that leaves this project as a file shares: its head, its style, and text that is never markup."""

from __future__ import annotations

import html
import re

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1c2326, #e8eceb); --quiet: light-dark(#515c61, #a9b3b6);
  --paper: light-dark(#ffffff, #14191b); --line: light-dark(#d5dadc, #374045); --mark: light-dark(#0f5a66, #8fd6c8); }
body { margin: 2rem auto; max-width: 90rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0 0 .25rem; }
.query, .text { font-family: ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
.quiet { color: var(--quiet); font-size: .875rem; } .gold { color: var(--mark); font-weight: 700; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .875rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .75rem .3rem 0; text-align: start; }
th, td { vertical-align: top; max-width: min(24rem, 45vw); overflow-wrap: break-word; }
td.n { font-variant-numeric: tabular-nums; text-align: end; }
.cards { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
.card { border-top: 3px solid var(--mark); padding-top: .5rem; min-width: 0; }
ol, ul { padding-inline-start: 1.5rem; } li { margin: .35rem 0; } details { margin-top: .25rem; }
"""


def document(title: str, body: str) -> str:
    """A whole page. No script, no font, no picture is fetched.

    :param body: HTML whose text from outside has gone through :func:`text`.
    """
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{text(title)}</title><style>{_STYLE}</style></head><body><main>{body}</main></body></html>"
    )


def text(value: object) -> str:
    plain = str(value).encode("utf-8", "replace").decode("utf-8")
    return html.escape(_CONTROL.sub("\ufffd", plain))
