"""The heat map of agreement, read as data."""

from __future__ import annotations

from ir_core.charts.agreement import agreement_figure
from tests.test_charts import PALETTE


def test_figures_stand_in_the_cells_and_unknown_cells_stay_empty():
    matrix = ((1.0, 0.999, None), (0.999, 1.0, 0.0), (None, 0.0, 1.0))
    figure = agreement_figure(matrix, ["1. Original", "2. <b>x</b>", "3. HyDE"], "Jaccard", PALETTE)
    (cells,) = figure.data
    assert [list(row) for row in cells.text] == [["", ".99", ""], [".99", "", "0"], ["", "0", ""]]
    assert cells.z[0][0] is None, "that a ranking equals itself is no finding"
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert list(figure.layout.xaxis.ticktext) == ["1", "2", "3"]
    assert figure.layout.yaxis.ticktext[1] == "2. &lt;b&gt;x&lt;/b&gt;"
    assert cells.customdata[0][2] == "1. Original and 3. HyDE"


def test_one_ranking_or_none_still_gives_a_figure():
    for matrix in ((), ((1.0,),)):
        assert agreement_figure(matrix, ["1. Original"][: len(matrix)], "RBO", PALETTE).layout.height > 0
