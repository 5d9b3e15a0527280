"""A comparison whole, as JSON that comes back as the same value: what a bundle and the store of runs hold."""

from __future__ import annotations

import gzip
import json
import zlib
from functools import lru_cache
from typing import Any

from ir_core.errors import BadInput
from ir_core.export.comparison import Comparison

FORMAT = 1
"""Raised when an older file would be read wrongly."""
MAX_BYTES = 64_000_000
"""Of one comparison, unpacked: eight lists of 500 long surfaces are about a tenth of it."""
SUFFIX = ".prism.gz"


def to_bundle(comparison: Comparison) -> bytes:
    """Gzip over JSON. The same comparison gives the same bytes."""
    data = {"query_prism": FORMAT, "comparison": _adapter().dump_python(comparison, mode="json")}
    return gzip.compress(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"), mtime=0)


def from_bundle(data: bytes) -> Comparison:
    """:raises BadInput: for a file that is no bundle, is damaged, too large, or of another version."""
    from pydantic import ValidationError

    told = _unpacked(data)
    version = told.get("query_prism") if isinstance(told, dict) else None
    if version != FORMAT:
        raise BadInput(
            f"This is no comparison that this release reads (format {version!r}, it reads {FORMAT}). Export it again "
            f"as a bundle ({SUFFIX})."
        )
    try:
        found: Comparison = _adapter().validate_python(told.get("comparison"))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))[:80]
        raise BadInput(f"The bundle is damaged at {where!r} ({first['msg'][:80]}). Export it again.") from None
    return found


def _unpacked(data: bytes) -> Any:
    """At most ``MAX_BYTES``: a small file may unpack to a huge one."""
    try:
        machine = zlib.decompressobj(wbits=31)
        found = machine.decompress(data, MAX_BYTES + 1)
        if len(found) > MAX_BYTES:
            raise BadInput(f"The bundle holds more than {MAX_BYTES // 1_000_000} MB, which no comparison does.")
        if not machine.eof:
            raise ValueError("it ends too early")
        return json.loads(found)
    except (zlib.error, ValueError, RecursionError) as error:
        reason = str(error)[:80]
        raise BadInput(f"The file is no bundle of a comparison ({reason}). Choose one ending in {SUFFIX}.") from None


@lru_cache(maxsize=1)
def _adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Comparison)
