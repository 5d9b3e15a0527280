"""The figures that are measured, not tested: ``make bench``, or ``python -m bench NAME…`` for some of them.

Ratios are taken within one run, since machines are noisy; what each should be stands beside it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from bench import comparing, evaluating, index, large, map_and_time, rankings, routing, starting

BENCHES: dict[str, tuple[Callable[[], Mapping[str, Any]], str]] = {
    "six_transforms": (comparing.six_transforms, "under 1.5 s"),
    "searching_together": (comparing.searching_together, "at most 1.3 × one batch"),
    "slow_writer": (comparing.slow_writer, "at most 1.3 × the slowest chain"),
    "bm25": (index.bm25_ratio, "at least 100 × as fast as rank-bm25, the same scores"),
    "index_5000": (index.index_5000, "time left shown; nothing embedded on the way back"),
    "large": (large.large, "index under 180 s, six transforms under 1 s, peaks under 4,096 MB"),
    "large_server": (large.large_server, "the same"),
    "rankings": (rankings.build_times, "each figure under 50 ms"),
    "map_and_time": (map_and_time.build_times, "each figure under 50 ms"),
    "evaluation_500": (evaluating.evaluation_500, "under 180 s and 2,000 MB"),
    "start": (starting.start, "the health page within 4 s"),
    "rule_decider": (routing.rule_decider, "under 5 ms"),
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"There is no bench named {', '.join(unknown)}. Known: {', '.join(BENCHES)}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as home:
        os.environ["QUERY_PRISM_HOME"] = home
        for name in names or BENCHES:
            measure, target = BENCHES[name]
            print(f"{name}: {target}")
            for key, value in measure().items():
                print(f"  {key}: {round(value, 4) if isinstance(value, float) else value}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
