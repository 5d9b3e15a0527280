"""What is wrong with an index before anybody asks it anything: one check per file, found by the registry.

A check is a frozen dataclass that describes itself as data: ``name``, ``label``, ``summary`` (what is looked for),
``effect`` (what it does to retrieval), ``change`` (what to do about it) and ``setting`` (what of the index to set, or
""). ``look(material)`` gives what was found, None where all is well; what cannot be measured raises ``Unmeasured``.
"""

from __future__ import annotations

from ir_core.analysis.health._examine import CHECKS, examine, examine_prepared
from ir_core.analysis.health._lengths import Bin, Lengths, lengths_of
from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import SEVERITIES, Check, Example, Finding, Found, Health, Unmeasured

__all__ = [
    "CHECKS",
    "SEVERITIES",
    "Bin",
    "Check",
    "Example",
    "Finding",
    "Found",
    "Health",
    "Lengths",
    "Material",
    "Unmeasured",
    "examine",
    "examine_prepared",
    "lengths_of",
]
