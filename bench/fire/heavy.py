"""What takes seconds to import, imported once in the process that children are forked from."""

from __future__ import annotations

import os

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import chromadb  # noqa: F401
import litellm  # noqa: F401

from bench.fire import victims  # noqa: F401
