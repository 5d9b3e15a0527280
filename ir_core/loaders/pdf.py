"""PDF: the text layer, page by page (pypdf)."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

from ir_core.errors import BadSource
from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_metadata, clean_text, is_blank
from ir_core.schema import Artifact

MAX_PAGES = 3_000


class Pdf(FileFormat):
    name = "pdf"
    label = "PDF"
    summary = "One document per file, from its text layer; a scan has none."
    suffixes = (".pdf",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

        logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it would print is said below, for a person
        try:
            reader = PdfReader(io.BytesIO(file.data(options.max_file_bytes)))
            if reader.is_encrypted and not reader.decrypt(""):
                raise FileNotDecryptedError
            n_pages = len(reader.pages)
        except FileNotDecryptedError:
            raise BadSource("is encrypted; save a copy without a password") from None
        except DependencyError:
            what = "is encrypted with AES; save a copy without encryption, or run: pip install cryptography"
            raise BadSource(what) from None
        except PyPdfError as error:
            raise BadSource(f"is not a PDF that can be read ({error}); save it again as PDF") from None
        pages, failed = [], []
        for number in range(min(n_pages, MAX_PAGES)):
            try:
                pages.append(clean_text(reader.pages[number].extract_text()))
            except Exception:  # pypdf raises anything for a damaged page; the other pages still load
                failed.append(number + 1)
        text = "\n\n".join(page.strip() for page in pages if not is_blank(page))
        if failed:
            listed = ", ".join(map(str, failed[:5])) + (" …" if len(failed) > 5 else "")
            yield Problem(file.name, f"has pages that cannot be read: {listed}")
        if n_pages > MAX_PAGES:
            yield Problem(file.name, f"has {n_pages:,} pages; the first {MAX_PAGES:,} were read")
        if is_blank(text):
            raise BadSource("holds no text, as scans do; run text recognition (OCR) on it first")
        given = reader.metadata
        found = {"title": given and given.get("/Title"), "author": given and given.get("/Author"), "pages": n_pages}
        yield Artifact(file.name, text, clean_metadata(found, options.unfit))
