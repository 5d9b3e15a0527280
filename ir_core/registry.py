"""Families find their members by walking their own package, so a new component is one new file and nothing else.

A member is a class defined in a module of the package that carries ``name``, ``label`` and ``summary`` (plain
strings; ``reference`` names the paper or system, ``aliases`` other names it answers to).
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from ir_core import params
from ir_core.errors import UnknownName

T = TypeVar("T")


class Registry(Generic[T]):
    """Name to class, for one family.

    :param package: dotted name of the package to walk, imported on first use.
    :param what: the kind of thing, in words, for messages.
    """

    def __init__(self, package: str, what: str) -> None:
        self.package = package
        self.what = what

    @cached_property
    def _members(self) -> Mapping[str, type[T]]:
        package = importlib.import_module(self.package)
        found: dict[str, Any] = {}
        for info in sorted(pkgutil.iter_modules(package.__path__, self.package + "."), key=lambda item: item.name):
            if info.name.rsplit(".", 1)[-1].startswith("_"):
                continue
            module = importlib.import_module(info.name)
            for _, item in inspect.getmembers(module, inspect.isclass):
                own = item.__module__ == module.__name__ or item.__module__.startswith(module.__name__ + ".")
                if own and all(isinstance(item.__dict__.get(key), str) for key in ("name", "label", "summary")):
                    found[item.__dict__["name"]] = item
        return dict(sorted(found.items(), key=lambda pair: (getattr(pair[1], "order", 100), pair[0])))

    def names(self) -> tuple[str, ...]:
        """Every member's name, by its ``order`` (default 100), then by name."""
        return tuple(self._members)

    def __iter__(self) -> Iterator[type[T]]:
        return iter(self._members.values())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def get(self, name: str) -> type[T]:
        """The class of that name or alias.

        :raises UnknownName: naming the known ones and the closest.
        """
        found = self._find(name)
        if found is None:
            raise UnknownName(self.what, name, self.names())
        return found

    def _find(self, name: str) -> type[T] | None:
        """Capitals, and hyphens for underscores, make no difference."""
        for item in self:
            own: Any = item
            if _plain(name) in {_plain(known) for known in (own.name, *getattr(item, "aliases", ()))}:
                return item
        return None

    def make(self, name: str, settings: Mapping[str, Any] | None = None) -> T:
        """An instance with these settings, checked.

        :raises UnknownName, BadSetting: as :func:`ir_core.params.make`.
        """
        return params.make(self.get(name), settings)


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_")
