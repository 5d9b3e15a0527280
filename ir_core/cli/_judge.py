"""The judge of ``evaluate`` and ``gate``: its options, and from them whoever reads what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ir_core.cli._options import read_price
from ir_core.errors import BadSetting

if TYPE_CHECKING:
    from ir_core.cli._opening import Opened
    from ir_core.evaluation import Judge

F = TypeVar("F", bound=Callable[..., Any])
JUDGE_OPTIONS = (
    click.option(
        "--judge", metavar="WRITER",
        help="Who rates from 0 to 100 whether the first hits suffice to answer: a model, as --writer has it. Without "
        "one, judge and answered are not measured.",
    ),
    click.option("--judge-k", type=int, default=5, show_default=True, help="Hits the judge reads."),
    click.option("--judge-repeats", type=int, default=3, show_default=True, help="Ratings of each list, each anew."),
    click.option("--judge-reference", is_flag=True, help="Show the judge the known answers."),
    click.option("--answerer", is_flag=True, help="The judge's model also answers from these hits, once each."),
    click.option("--judge-url", metavar="URL", help="The judge's gateway. Default: --base-url."),
    click.option("--judge-price", metavar="IN,OUT", help="As --price. Default: that, for the same model."),
)  # fmt: skip
NAMES = ("judge", "judge_k", "judge_repeats", "judge_reference", "answerer", "judge_url", "judge_price")


def taken_judge(options: dict[str, Any]) -> dict[str, Any]:
    """These options, out of the others.

    :raises BadSetting: for an answerer without a judge, or a k or repeats there cannot be.
    """
    from ir_core.evaluation import JudgePlan

    own = {name: options.pop(name) for name in NAMES}
    if own["answerer"] and not own["judge"]:
        raise BadSetting("--answerer needs a model. Name one by --judge, such as --judge openai/gpt-4.1-mini.")
    own["plan"] = JudgePlan(
        k=own["judge_k"], repeats=own["judge_repeats"], answerer=own["answerer"], reference=own["judge_reference"]
    )
    read_price(own["judge_price"])
    return own


def open_judge(own: Mapping[str, Any], opened: Opened) -> Judge | None:
    """The judge, under the caps of the whole command; None where none was named.

    :raises BadSetting: for a writer that cannot judge.
    """
    from ir_core.budget import capped
    from ir_core.evaluation import Judge
    from ir_core.writers import open_writer

    if not own["judge"]:
        return None
    same = own["judge"].strip() == opened.writer_name.strip()
    price = read_price(own["judge_price"]) or (opened.price if same else None)
    writer = open_writer(
        own["judge"], index=opened.engine.index, base_url=own["judge_url"] or opened.base_url, local_files=True,
        price=price, deadline_s=opened.deadline_s,
    )  # fmt: skip
    judge = Judge(capped(writer, opened.purse), own["plan"])
    if judge.cannot:
        raise BadSetting(f"--judge {own['judge']!r}: {judge.cannot}")
    if warm := getattr(writer, "warm", None):
        warm()
    return judge


def judge_config(own: Mapping[str, Any]) -> dict[str, Any] | None:
    """All that reproduces it, without a key."""
    from ir_core.secrets import without_credentials

    if not own["judge"]:
        return None
    plan, url = own["plan"], own["judge_url"]
    return {
        "writer": own["judge"],
        "base_url": without_credentials(url) if url else None,
        "price": own["judge_price"],
        "k": plan.k,
        "repeats": plan.repeats,
        "reference": plan.reference,
        "answerer": plan.answerer,
    }
