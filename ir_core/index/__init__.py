"""The index: one folder per build, searched by words and by vectors.

``vectors`` keeps every vector ever computed; ``assemble`` writes a build folder from surfaces and vectors;
``folders`` swaps finished builds in; ``opened`` reads one: its ``manifest``, the ``filters`` that make a row mask,
the ``lexical`` and the ``dense`` leg that obey it.
"""

from ir_core.index.manifest import FieldInfo, IndexSettings, Manifest
from ir_core.index.opened import Index, close_indexes, open_index
from ir_core.index.vectors import VectorStore

__all__ = ["FieldInfo", "Index", "IndexSettings", "Manifest", "VectorStore", "close_indexes", "open_index"]
