"""SIGKILL at random moments of indexing, evaluating and recording: what is lost, what is done twice, what comes out.

Each work begins anew (an *edition*) when it came to its end before its kill, and goes on after one. Moments are drawn
from the seconds that an undisturbed run takes, so that every stage is met.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.fire import victims
from bench.fire.children import Child, Killed, done
from bench.fire.loopback import Model, marks_in

Figures = dict[str, Any]
BATCH = 64
"""Texts that are embedded together; at a kill one batch can be embedded and not yet kept."""
IN_FLIGHT = 8
"""Requests that are under way together; at a kill their replies can be lost."""
LEAST_S = 0.02


def indexing(home: Path, kills: int, rng: random.Random, documents: int = 3_000) -> Figures:
    """An index that is there, and the next edition's build killed: the old one answers, nothing stored is embedded
    again, and the build comes out as an undisturbed one."""
    log, calm = home / "embedded.txt", home / "calm"
    first = done(home, victims.index, 0, documents, str(log))
    old, answers = done(home, victims.answer)
    assert answers == first
    landed = finished = again = 0
    moments: list[float] = []
    edition, known, whole = 1, log.read_text().count("\n"), 0.0
    expected: tuple[str, Any] = ("", None)
    while landed < kills:
        if not expected[0]:
            began = time.monotonic()
            done(calm, victims.index, edition, documents, str(home / "calm.txt"))
            whole = time.monotonic() - began
            expected = done(calm, victims.answer)
        before = done(home, victims.stored)
        ended, moment = _killed(home, rng, whole, victims.index, edition, documents, str(log))
        embedded = log.read_text().splitlines()[known:]
        known += len(embedded)
        assert not before & set(embedded), "a stored vector was computed again"
        again += len(embedded)
        now = done(home, victims.answer)
        assert now in ((old, answers), expected), "the index that is searched is neither the old one nor the new one"
        if ended is None:
            landed += 1
            moments.append(moment)
            continue
        assert (now, ended) == (expected, expected[1]), "the build came out otherwise than an undisturbed one"
        finished, edition, expected, (old, answers) = finished + 1, edition + 1, ("", None), now
    final = done(home, victims.index, edition, documents, str(log))
    again += log.read_text().count("\n") - known
    assert (done(home, victims.answer), final) == (expected, expected[1])
    twice = again - edition * documents
    assert 0 <= twice <= BATCH * landed, f"{twice} texts were embedded twice"
    left = [path.name for path in (home / "indexes" / victims.CORPUS).glob(".*") if path.is_dir()]
    assert not left, f"half a build is still there: {left}"
    return _told(landed, finished + 1, moments, whole) | {"texts embedded twice (of a batch cut off)": twice}


def evaluating(home: Path, kills: int, rng: random.Random, queries: int = 20) -> Figures:
    """What a job has written down is not asked again, it says how many requests were under way at its kills, and its
    figures are those of an undisturbed run."""
    with Model() as model:
        job = done(home, victims.make_job, model.base_url, queries)
        began = time.monotonic()
        expected = done(home, victims.evaluate, job)
        whole, fresh = time.monotonic() - began, sum(model.taken().values())
        assert expected[0] == "finished"

        def begin(edition: int) -> str:
            made: str = done(home, victims.make_job, model.base_url, queries)
            return made

        def kept(job: str) -> frozenset[str]:
            return marks_in(b"".join(path.read_bytes() for path in (home / "jobs" / job).glob("*.jsonl")))

        def told(job: str) -> int:
            return int(done(home, victims.cut_off, job))

        return _asking(home, kills, rng, model, whole, fresh, begin, kept, victims.evaluate, (), expected, told=told)


def recording(home: Path, kills: int, rng: random.Random, queries: int = 20) -> Figures:
    """What is in the file stays, what was answered is not asked again, and its replay is that of an undisturbed one.

    Each edition is a home of its own below ``home``: a reply that is kept there is asked for once.
    """
    with Model() as model:
        done(home, victims.prepare)
        began = time.monotonic()
        done(home, victims.record, str(home / "calm.jsonl"), model.base_url, queries)
        whole, fresh = time.monotonic() - began, sum(model.taken().values())
        expected = done(home, victims.replay, str(home / "calm.jsonl"), queries)

        def begin(edition: int) -> str:
            for path in (home / "replies").glob("*"):
                path.unlink()
            return str(home / f"edition{edition}.jsonl")

        def kept(file: str) -> frozenset[str]:
            return marks_in(Path(file).read_bytes()) if Path(file).exists() else frozenset()

        def replayed(file: str) -> Any:
            return done(home, victims.replay, file, queries)

        more = (model.base_url, queries)
        return _asking(home, kills, rng, model, whole, fresh, begin, kept, victims.record, more, expected, replayed)


def _asking(
    home: Path, kills: int, rng: random.Random, model: Model, whole: float, fresh: int, begin: Callable[[int], str],
    kept: Callable[[str], frozenset[str]], work: Callable[..., Any], more: tuple[Any, ...], expected: Any,
    outcome: Callable[[str], Any] | None = None, told: Callable[[str], int] | None = None,
) -> Figures:  # fmt: skip
    """Work that asks a model, killed and gone on with. ``fresh`` is how many requests an undisturbed run sends;
    ``told`` what the work itself says of those that were under way."""
    landed, finished, asked, known, moments = 0, 0, 0, 0, []
    one, had = begin(0), frozenset[str]()
    while True:
        last = landed >= kills
        ended, moment = _killed(home, rng, 600.0 if last else whole, work, one, *more, at_random=not last)
        requests = model.taken()
        asked += sum(requests.values())
        assert not had & requests.keys(), "what had been written down was asked again"
        assert had <= kept(one), "what had been written down is gone"
        had = kept(one)
        if ended is None:
            landed += 1
            moments.append(moment)
            continue
        assert (outcome(one) if outcome else ended) == expected, "it came out otherwise than undisturbed"
        finished += 1
        known += told(one) if told else 0
        assert not told or asked - finished * fresh <= known, "a request was sent twice that was not under way"
        if last:
            break
        one, had = begin(finished), frozenset()
    twice = asked - finished * fresh
    assert 0 <= twice <= IN_FLIGHT * landed, f"{twice} requests were sent twice"
    figures = _told(landed, finished, moments, whole) | {"requests sent twice (under way at a kill)": twice}
    return figures | ({"requests the runs say were under way": known} if told else {})


def _killed(
    home: Path, rng: random.Random, whole: float, work: Callable[..., Any], *arguments: Any, at_random: bool = True
) -> tuple[Any, float]:
    """What it gave, None where it was killed first; and the moment that was drawn."""
    moment = rng.uniform(LEAST_S, whole) if at_random else whole
    try:
        return Child(home, work, *arguments).outcome(moment), moment
    except Killed:
        return None, moment


def _told(landed: int, finished: int, moments: list[float], whole: float) -> Figures:
    drawn = " ".join(f"{moment:.2f}" for moment in moments)
    return {"kills": landed, "runs that came to their end": finished, "an undisturbed run (s)": round(whole, 2),
            "killed after (s)": drawn}  # fmt: skip


WORKS: dict[str, Callable[[Path, int, random.Random], Figures]] = {
    "indexing": indexing, "evaluating": evaluating, "recording": recording,
}  # fmt: skip
