"""What each family of measures says, in words, for the page and for reports."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "ndcg": "Normalised discounted cumulative gain: relevant documents count more the higher they stand, and more "
    "the higher their grade; 1 is the best order there is.",
    "recall": "The share of a query's relevant documents that are among the first k.",
    "all_gold_recall": "1 where every document an answer needs is among the first k, else 0.",
    "mrr": "One divided by the rank of the first relevant document, 0 where none is among the first k.",
    "success": "1 where any relevant document is among the first k, else 0 (also called hit rate).",
    "precision": "The share of the first k places that hold a relevant document; places left empty count as misses.",
    "map": "Mean average precision: the precision at the place of each relevant document among the first k, added up "
    "and divided by the number of relevant documents.",
    "answer_in_context": "1 where a gold answer stands, word for word but for case, punctuation and articles, in one "
    "of the first k passages found, else 0. Queries without an answer, and answers that are yes, no, true, false or "
    "shorter than three letters, are left out and counted.",
    "judge": "How far the first k suffice to answer the query, from 0 to 100, as a model rates them by the rubric of "
    "the run: the mean over its repeats. What it did not rate is left out and counted.",
    "answered": "1 where the answer that a model wrote from the first k alone holds an answer known to be right "
    "(SQuAD normalisation), else 0. Queries without a known answer are left out and counted.",
    "answer_f1": "How far the words of that answer are those of a known one: token F1 as in SQuAD, the best over the "
    "known answers.",
}
