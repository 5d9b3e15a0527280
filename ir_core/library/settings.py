"""What was chosen for a corpus (strategy, k1, b, embedder …), kept between visits."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ir_core import config
from ir_core.errors import BadSetting, BadSource
from ir_core.library import _store
from ir_core.text import slug

MAX_BYTES = 20_000
_log = logging.getLogger(__name__)


def get_settings(name: str) -> dict[str, Any]:
    """The settings kept for a corpus; empty where none were. A damaged file counts as none."""
    try:
        if _store.there(name):
            found = _store.read(name).get("settings")
        else:
            found = json.loads(_path(name).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (BadSource, OSError, ValueError) as error:
        _log.warning("the settings of %r cannot be read, and its own defaults hold: %s", name, error)
        return {}
    return found if isinstance(found, dict) else {}


def set_settings(name: str, settings: Mapping[str, Any]) -> None:
    """Keeps these settings in place of those before: with an own corpus, or in HOME/settings for any other.

    :raises BadSetting: when they are not plain values (text, numbers, true or false, lists and mappings of them).
    """
    try:
        text = json.dumps(dict(settings), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BadSetting(
            f"The settings of {name!r} cannot be kept: {error}. Use text, numbers, true or false."
        ) from None
    if len(text) > MAX_BYTES:
        raise BadSetting(f"The settings of {name!r} take {len(text):,} bytes; {MAX_BYTES:,} is the most.")
    values = json.loads(text)
    with config.keeping(f"The settings of {name!r}"):
        if _store.there(name):
            _store.update(name, lambda record: {**record, "settings": values})
        else:
            _store.write_json(_path(name), values)


def forget_settings(name: str) -> None:
    """Drops what was kept for a corpus that is no own one."""
    _path(name).unlink(missing_ok=True)


def _path(name: str) -> Path:
    return config.home() / "settings" / f"{slug(name)}.json"
