"""Writers and judge of ``evaluate`` as a run keeps them: plain values without a key, each opened once to be sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ir_core.cli._options import read_price
from ir_core.errors import BadSetting

if TYPE_CHECKING:
    from ir_core.evaluation import JudgePlan, Plan, WriterPlan
    from ir_core.library import JudgedQuery
    from ir_core.retrieval import Engine


def writer_plan(name: str, options: Mapping[str, Any]) -> WriterPlan:
    """Who writes, as a run keeps it: a file by its whole path, so that the page finds it, too."""
    from ir_core.evaluation import WriterPlan, writer_address

    kind, colon, _ = name.strip().partition(":")
    opens = bool(colon) and kind.lower() in {"recorded", "local"}
    is_model = not opens and kind.lower() not in {"corpus", "local"}
    price = read_price(options["price"]) if is_model else None
    address = writer_address(options["base_url"])[0] if is_model else None
    return WriterPlan(
        _whole(name) if opens else name.strip(), base_url=address, opens_files=opens,
        price=(price.input_per_million, price.output_per_million) if price else None,
        deadline_s=options["deadline"],
    )  # fmt: skip


def check_prices(writers: Sequence[WriterPlan]) -> None:
    """:raises BadSetting: for a model without a known price, of which a cap in dollars cannot hold."""
    from ir_core.writers.llm import has_price

    for one in writers:
        free = one.opens_files or one.name.lower() in {"corpus", "local"}
        if not free and one.price is None and not has_price(one.name):
            raise BadSetting(
                f"No price is known for {one.name}, so --max-usd cannot hold. Give it with --price IN,OUT (dollars "
                "per million tokens), or cap the calls with --max-calls."
            )


def _whole(name: str) -> str:
    """``recorded:FILE``, ``recorded:TASK:FILE`` or ``local:FILE`` with the file's whole path, where it is there."""
    kind, _, text = name.strip().partition(":")
    task, colon, file = text.partition(":")
    for before, path in (("", text), (f"{task}:", file if colon else "")):
        if path.strip() and (found := Path(path.strip()).expanduser()).exists():
            return f"{kind}:{before}{found.absolute()}"
    return name.strip()


def judge_plan(own: Mapping[str, Any], plan: Plan, options: Mapping[str, Any]) -> JudgePlan | None:
    """The judge with its writer; None where none was named."""
    if not own["judge"]:
        return None
    address = {**options, "base_url": own["judge_url"] or options["base_url"], "price": own["judge_price"]}
    made = writer_plan(own["judge"], address)
    same = next((one for one in plan.writers if one.name == made.name), None)
    if same and made.price is None:
        made = replace(made, price=same.price)
    judge: JudgePlan = replace(own["plan"], writer=replace(made, label=made.name))
    return judge


def check_judge(plan: Plan, engine: Engine) -> None:
    """:raises BadSetting: for a writer that cannot judge."""
    from ir_core.evaluation import Judge, open_writer_of

    if plan.judge is None or plan.judge.writer is None:
        return
    judge = Judge(open_writer_of(replace(plan, writer=plan.judge.writer), engine), plan.judge)
    if judge.cannot:
        raise BadSetting(f"--judge {plan.judge.writer.name!r}: {judge.cannot}")


def with_labels(plan: Plan, engine: Engine, queries: list[JudgedQuery], record: str | None) -> Plan:
    """Every writer opened once, so that what is wrong with it is said now; it is called as it calls itself."""
    from ir_core.evaluation import Part
    from ir_core.writers import open_writer
    from ir_core.writers.recorded import RecordingWriter

    labels: dict[str, str] = {}
    for one in plan.writers:
        opened = open_writer(
            one.name, index=engine.index, base_url=one.base_url, queries=lambda: queries, local_files=True
        )
        if record is not None:
            RecordingWriter(opened, record)
        labels[one.name] = opened.label
    own = replace(plan.writer, label=labels[plan.writer.name])
    also = [Part(p.index, p.strategy, replace(p.writer, label=labels[p.writer.name])) for p in plan.also]
    return replace(plan, writer=own, also=tuple(also))
