"""A comparison whole, as JSON that comes back as the same value: what a bundle and the store of runs hold."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from functools import lru_cache
from typing import Any

from ir_core.errors import BadInput
from ir_core.export.checked import Config, check, damaged
from ir_core.export.comparison import Comparison

FORMAT = 1
"""Raised when an older file would be read wrongly."""
MAX_BYTES = 64_000_000
"""Of one comparison, unpacked: eight lists of 500 long surfaces are about a tenth of it."""
SUFFIX = ".prism.gz"


def to_bundle(comparison: Comparison) -> bytes:
    """Gzip over JSON. The same comparison gives the same bytes."""
    data = {"query_prism": FORMAT, "comparison": _adapter(Comparison).dump_python(comparison, mode="json")}
    return gzip.compress(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"), mtime=0)


def from_bundle(data: bytes) -> Comparison:
    """:raises BadInput: for a file that is no bundle, is damaged, too large, or of another version."""
    told = _unpacked(data)
    version = told.get("query_prism") if isinstance(told, dict) else None
    if version != FORMAT:
        raise BadInput(
            f"This is no comparison that this release reads (format {version!r:.40}, it reads {FORMAT}). Export it "
            f"again as a bundle ({SUFFIX})."
        )
    found: Comparison = _read(Comparison, told.get("comparison"))
    _read(Config, found.config, "config.")
    check(found)
    return found


def _read(kind: type, told: Any, place: str = "") -> Any:
    """The value of that type: JSON's own types, nothing turned into another ("nan" is no number)."""
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_json(json.dumps(told), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise damaged(place + ".".join(map(str, first["loc"])), first["msg"]) from None


def _unpacked(data: bytes) -> Any:
    """At most ``MAX_BYTES``: a small file may unpack to a huge one."""
    try:
        machine = zlib.decompressobj(wbits=31)
        found = machine.decompress(data, MAX_BYTES + 1)
        if len(found) > MAX_BYTES:
            raise BadInput(f"The bundle holds more than {MAX_BYTES // 1_000_000} MB, which no comparison does.")
        if not machine.eof:
            raise ValueError("it ends too early")
        return json.loads(found, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
    except (zlib.error, ValueError, RecursionError) as error:
        reason = str(error)[:80]
        raise BadInput(f"The file is no bundle of a comparison ({reason}). Choose one ending in {SUFFIX}.") from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number that a comparison holds")


def _finite(text: str) -> float:
    return found if math.isfinite(found := float(text)) else _no_number(text[:20])


def _whole(text: str) -> int:
    """Sixty-four bits, as everywhere else."""
    return int(text) if len(text) < 20 else int(_no_number(text[:20]))


@lru_cache(maxsize=2)
def _adapter(kind: type) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
