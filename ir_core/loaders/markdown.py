"""Markdown; front matter becomes metadata (python-frontmatter, safe YAML only)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import regex

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_metadata, is_blank
from ir_core.loaders._decode import decode
from ir_core.schema import Artifact

_HEADING = regex.compile(r"^#{1,2}[ \t]+(.+?)[ \t#]*$", regex.MULTILINE)


class Markdown(FileFormat):
    name = "markdown"
    label = "Markdown"
    summary = "One document per file; front matter becomes metadata."
    suffixes = (".md", ".markdown")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        values, body, fault = split_front_matter(text)
        for remark in (note, fault):
            if remark:
                yield Problem(file.name, remark, lost=False)
        metadata = clean_metadata(values, options.unfit)
        heading = first_heading(body)
        if "title" not in metadata and heading:
            metadata["title"] = heading
        if is_blank(body):
            only = " (it has front matter only)" if values else ""
            yield Problem(file.name, f"is blank{only} and was left out; save it again with text in it")
        else:
            yield Artifact(file.name, body, metadata)


def first_heading(text: str) -> str | None:
    """The text of the first heading of the first or second level."""
    found = _HEADING.search(text)
    return found.group(1).strip() if found else None


def split_front_matter(text: str) -> tuple[dict[str, Any], str, str | None]:
    """Front matter, the text after it, and a remark when it could not be read (the text is then whole)."""
    import frontmatter
    import yaml

    if not text.lstrip().startswith("---"):
        return {}, text, None
    try:
        values, body = frontmatter.parse(text, handler=frontmatter.YAMLHandler())
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        first_line = " ".join(str(error).split())[:160]
        return {}, text, f"has front matter that cannot be read ({first_line}); it was read as plain text"
    # Text between two rulers is no front matter; python-frontmatter would drop it.
    return (values, body, None) if values else ({}, text, None)
