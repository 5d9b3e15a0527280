"""A scene in which the strategy decides shows both rankings of its question."""

from __future__ import annotations

import pytest

from ir_core import build as builds
from ir_core import library
from tests.app import build, open_app, press, shown

SCENE = next(one for one in library.scenes("packages") if one.id == "pk-who-imports-it")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(folder))
        build("packages")
    return folder


@pytest.fixture
def ready(indexed, monkeypatch):
    monkeypatch.setenv("QUERY_PRISM_HOME", str(indexed))


@pytest.mark.usefixtures("ready")
def test_both_rankings_stand_side_by_side_and_the_corpus_own_index_stays():
    before = builds.current("packages").manifest.fingerprint
    app = open_app(f"scene={SCENE.id}")
    page = shown(app)
    assert SCENE.sentences in page
    assert "▲ Another strategy wins. Measured here" in page
    [table] = [item.value for item in app.dataframe if any("Otherwise" in name for name in item.value.columns)]
    assert list(table.columns) == [
        "rank",
        "As indexed: Software package",
        "Otherwise: Software package with embed_deps",
    ]
    assert table.iloc[0, 2] == "★ bramble-geo (deps)"
    assert not table.iloc[:, 1].str.contains("bramble-geo").any()
    assert builds.current("packages").manifest.fingerprint == before


@pytest.mark.usefixtures("ready")
def test_while_a_guess_is_waited_for_neither_ranking_is_shown():
    app = open_app("corpus=packages")
    app.toggle(key="predict_first").set_value(True).run()
    app = press(app, f"scene-{SCENE.id}")
    assert [item for item in app.dataframe if any("Otherwise" in name for name in item.value.columns)] == []
    assert "Measured here" not in shown(app)
