"""The library: which corpora there are, where they are kept, and the judged queries that come with them.

Bundled samples are read from the program's own files. Uploads are kept under HOME/corpora, folders are read where
they are, each time. Settings chosen for a corpus are kept with it, or under HOME/settings for a sample.
"""

from ir_core.library._corpus import Corpus
from ir_core.library._info import CorpusInfo, Example
from ir_core.library.authored import Authored
from ir_core.library.corpora import corpora, corpus, disk_use, every_name, linked, names
from ir_core.library.own import add_environment, add_folder, add_upload, delete, may_change, rename, set_text_column
from ir_core.library.own_scenes import count_own_scenes, delete_scene, own_scene, own_scenes, save_scene, save_scenes
from ir_core.library.queries import JudgedQuery, Qrels, split_of
from ir_core.library.scenes import Scene, scenes
from ir_core.library.sets import QuerySet, add_query_set, delete_query_set, query_set, query_sets
from ir_core.library.settings import forget_settings, get_settings, set_settings
from ir_core.loaders import suffixes

__all__ = [
    "Authored",
    "Corpus",
    "CorpusInfo",
    "Example",
    "JudgedQuery",
    "Qrels",
    "QuerySet",
    "Scene",
    "add_environment",
    "add_folder",
    "add_query_set",
    "add_upload",
    "corpora",
    "corpus",
    "count_own_scenes",
    "delete",
    "delete_query_set",
    "delete_scene",
    "disk_use",
    "every_name",
    "forget_settings",
    "get_settings",
    "linked",
    "may_change",
    "names",
    "own_scene",
    "own_scenes",
    "query_set",
    "query_sets",
    "rename",
    "save_scene",
    "save_scenes",
    "scenes",
    "set_settings",
    "set_text_column",
    "split_of",
    "suffixes",
]
