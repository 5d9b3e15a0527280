"""``python -m ir_core.cli``: the same as ``query-prism``."""

from __future__ import annotations

import sys

from ir_core.cli import main

sys.exit(main())
