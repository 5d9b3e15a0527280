"""What each rule adds to which label. Fitted on tune: ``python -m scripts.fit_rules``."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "short": {"ambiguous_short": 4.1},
    "to_5_words": {"simple": 0.8, "broad": 0.5, "narrow_technical": 1.3},
    "to_9_words": {"simple": 1.2, "vocabulary": 1.4, "narrow_technical": 0.6},
    "to_13_words": {"vocabulary": 0.6, "multi_hop": 1.0},
    "over_13_words": {"vocabulary": 0.3, "multi_hop": 1.9},
    "asks": {"simple": 0.5, "broad": 1.2, "narrow_technical": 0.7, "multi_hop": 1.5},
    "gerund": {"vocabulary": 0.3, "broad": 1.4},
    "second_clause": {"multi_hop": 2.0},
    "phrase": {"simple": 0.8, "broad": 1.1},
    "person": {"vocabulary": 0.3, "broad": 0.3},
    "code": {"narrow_technical": 4.3},
    "acronym": {"broad": 0.9, "narrow_technical": 2.6},
    "jargon": {"narrow_technical": 2.5},
    "names": {"simple": 0.3, "narrow_technical": 0.5, "multi_hop": 1.6},
    "compares": {"multi_hop": 1.6},
    "quantity": {"narrow_technical": 0.4, "multi_hop": 1.2},
    "area": {"broad": 4.0},
    "colloquial": {"vocabulary": 1.3, "broad": 0.3},
    "all_known": {"simple": 1.8, "broad": 0.4},
    "together": {"simple": 2.4},
    "apart": {"vocabulary": 2.2, "broad": 1.0, "narrow_technical": 0.6, "multi_hop": 0.8},
    "titled": {"simple": 1.7, "multi_hop": 0.4},
    "common": {"simple": 0.6, "broad": 0.8},
}
