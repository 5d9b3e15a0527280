"""The theme keeps what it promises: colours that can be told from the ground and from each other, by everybody.

Colour blindness by Machado, Oliveira and Fernandes (2009), severity 1; distances in OKLab (Ottosson 2020), times 100.
"""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import numpy as np
import pytest

from ir_core.config import MAX_TRANSFORMS

ROOT = Path(__file__).parent.parent
THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
SIGHT = {
    "usual": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
TO_LMS = np.array(
    [[0.41222147, 0.53633254, 0.05144599], [0.2119035, 0.68069955, 0.10739696], [0.08830246, 0.28171884, 0.6299787]]
)
TO_LAB = np.array(
    [
        [0.21045426, 0.79361779, -0.00407205],
        [1.9779985, -2.42859221, 0.45059371],
        [0.02590404, 0.78277177, -0.80867577],
    ]
)


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def oklab(colour: str, sight: str = "usual") -> np.ndarray:
    return 100 * (TO_LAB @ np.cbrt(TO_LMS @ np.clip(SIGHT[sight] @ linear(colour), 0, 1)))


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_there_is_a_colour_for_every_slot_and_each_can_be_seen(kind):
    theme = THEME[kind]
    colours = theme["chartCategoricalColors"]
    assert len(set(colours)) == MAX_TRANSFORMS
    for ground in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        assert {
            colour: round(contrast(colour, ground), 2) for colour in colours if contrast(colour, ground) < 3
        } == {}


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("kind", ["light", "dark"])
def test_slots_can_be_told_apart(kind, sight):
    pairs = itertools.combinations(THEME[kind]["chartCategoricalColors"], 2)
    closest = min(float(np.linalg.norm(oklab(a, sight) - oklab(b, sight))) for a, b in pairs)
    assert closest >= 8.5, "about four times the difference that is just seen"


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_the_diverging_scale_leaves_the_ground_on_both_sides_alike(kind):
    scale = THEME[kind]["chartDivergingColors"]
    ground = THEME[kind]["backgroundColor"]
    away = [abs(oklab(colour)[0] - oklab(ground)[0]) for colour in scale]
    assert len(scale) == 10
    assert away[:5] == sorted(away[:5], reverse=True)
    assert away[5:] == sorted(away[5:])
    assert all(abs(left - right) < 6 for left, right in zip(away, reversed(away), strict=True))
    assert min(contrast(scale[0], ground), contrast(scale[-1], ground)) >= 4.5
    for sight in SIGHT:
        assert np.linalg.norm(oklab(scale[0], sight) - oklab(scale[-1], sight)) >= 7, f"{sight}: the ends look alike"


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_text_and_links_pass_aa(kind):
    theme = THEME[kind]
    for ink in (theme["textColor"], theme["linkColor"]):
        assert contrast(ink, theme["backgroundColor"]) >= 4.5
        assert contrast(ink, theme["secondaryBackgroundColor"]) >= 4.5


def test_every_font_of_the_theme_is_served_from_here_with_its_licence():
    faces = {face["url"] for face in THEME["fontFaces"]}
    for url in faces:
        file = ROOT / url.removeprefix("app/")
        assert file.read_bytes()[:4] == b"wOF2", url
    assert all(b"SIL Open Font License" in path.read_bytes() for path in (ROOT / "static").glob("LICENSE-*.txt"))
    assert len(list((ROOT / "static").glob("LICENSE-*.txt"))) == 3


def test_the_stylesheet_holds_nothing_that_a_browser_side_sanitiser_takes_for_markup():
    """With one "<" in it, the whole stylesheet is thrown away on arrival."""
    assert "<" not in (ROOT / "pages/_ui/style.css").read_text("utf-8")
