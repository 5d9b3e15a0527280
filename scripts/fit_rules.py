"""Fits the weights of the rules on the tune split of the sample corpora: ir_core/router/deciders/_weights.py.

    python -m scripts.fit_rules

Multinomial logistic regression, each label weighing the same, weights never negative (a rule speaks for labels, so
that the reasons of a decision add up), L1 and L2 penalised. It prints what the weights tell, each corpus left out of
the fit in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from ir_core import session
from ir_core.router import APART, LABELS
from ir_core.router.deciders._reading import read
from ir_core.router.deciders.rules import TESTS

OUT = Path("ir_core/router/deciders/_weights.py")
SAMPLES = ("help_center", "procurement", "skills", "packages", "sessions", "bilingual")
SIX = [label for label in LABELS if label not in APART]
L1, L2 = 0.1, 0.5
LEAST = 0.25
"""A smaller weight is left out: it is no reason worth reading."""
HEAD = '''"""What each rule adds to which label. Fitted on tune: ``python -m scripts.fit_rules``."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, Mapping[str, float]] = {
'''


@dataclass(frozen=True)
class Seen:
    """``fired`` (n, rules), ``label`` (n,) and ``corpus`` (n,) of the labelled tune queries."""

    fired: NDArray[np.float64]
    label: NDArray[np.int64]
    corpus: NDArray[np.int64]


def seen() -> Seen:
    fired, labels, corpora = [], [], []
    for number, name in enumerate(SAMPLES):
        prepared = session.prepare(name, strategy={"name": "WholeText"})
        index = session.open_engine(prepared, make_current=False).index
        for query in prepared.corpus.queries():
            if query.split == "tune" and query.category in SIX:
                reading = read(query.text, query.history, index)
                fired.append([float(test(reading) is not None) for test in TESTS.values()])
                labels.append(SIX.index(query.category))
                corpora.append(number)
    return Seen(np.array(fired), np.array(labels), np.array(corpora))


def fit(fired: NDArray[np.float64], label: NDArray[np.int64]) -> NDArray[np.float64]:
    """(rules, labels) weights, rounded to tenths; those under ``LEAST`` are 0."""
    from scipy.optimize import minimize

    shape = (fired.shape[1], len(SIX))
    wanted = np.eye(len(SIX))[label]
    share = (len(label) / len(SIX) / np.maximum(wanted.sum(0), 1))[label]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        logits = fired @ weights
        logits -= logits.max(1, keepdims=True)
        given = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        value = -(share * np.log((given * wanted).sum(1) + 1e-12)).sum() + L1 * flat.sum() + L2 * (flat**2).sum() / 2
        return value, (fired.T @ (share[:, None] * (given - wanted)) + L1 + L2 * weights).ravel()

    start = np.full(shape[0] * shape[1], 0.1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(start)).x.reshape(shape)
    return np.where(found < LEAST, 0.0, found.round(1))


def left_out(data: Seen) -> NDArray[np.int64]:
    """(n,) the label given to each query by weights that were fitted on the other corpora."""
    given = np.zeros_like(data.label)
    for number in range(len(SAMPLES)):
        out = data.corpus == number
        given[out] = (data.fired[out] @ fit(data.fired[~out], data.label[~out])).argmax(1)
    return given


def macro(label: NDArray[np.int64], given: NDArray[np.int64]) -> float:
    """Mean recall of the labels there are."""
    return float(np.mean([np.mean(given[label == one] == one) for one in np.unique(label)]))


def source(weights: NDArray[np.float64]) -> str:
    lines = []
    for name, row in zip(TESTS, weights, strict=True):
        entries = ", ".join(f'"{label}": {weight:.1f}' for label, weight in zip(SIX, row, strict=True) if weight)
        lines.append(f'    "{name}": {{{entries}}},\n')
    return HEAD + "".join(lines) + "}\n"


def told(data: Seen, given: NDArray[np.int64], names: Sequence[str] = SAMPLES) -> str:
    each = [
        f"{name} {macro(data.label[of], given[of]):.2f}"
        for number, name in enumerate(names)
        if (of := data.corpus == number).any()
    ]
    return f"{macro(data.label, given):.2f} ({', '.join(each)})"


@click.command()
def main() -> None:
    data = seen()
    weights = fit(data.fired, data.label)
    OUT.write_text(source(weights), "utf-8")
    click.echo(f"{len(data.label)} queries. Macro-averaged recall of the six labels:")
    click.echo(f"fitted on all: {told(data, (data.fired @ weights).argmax(1))}")
    click.echo(f"each left out in turn: {told(data, left_out(data))}")


if __name__ == "__main__":
    main()
