"""Curves are told apart without their colours, too: by dashes, in every plot, and by names at their ends."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from framescope.core.evaluation.evaluate import compile_plan
from framescope.features.laboratory.ui.drift_panel import KEPT, PRESENT
from framescope.ui.plots.curves import Curves, CurveStyle, distinct_styles, xyz_styles
from framescope.ui.plots.dashes import DASHES, DOTTED, SOLID
from framescope.ui.plots.end_names import MARGIN, columns_of, place_names
from framescope.ui.plots.export import PlotPicture, write_plot
from framescope.ui.plots.names_item import names_of
from framescope.ui.plots.plot import Plot
from framescope.ui.plots.plot_content import plot_contents
from framescope.ui.plots.signal_styles import RESIDUE_STYLES
from framescope.ui.theme.tokens import DARK, LIGHT, Theme
from tests.support.colour_vision import least_difference
from tests.support.grown_scenes import PLATE
from tests.support.hands import show
from tests.support.scenes import scene_of

APART = 20.0
"""CIEDE2000 difference from which on two colours are told apart at a glance."""


def confused(looks: list[tuple[str, tuple[float, ...]]], theme: Theme) -> list[object]:
    """Return the pairs of looks, colour role and dash, that some eyes cannot tell apart."""
    return [
        (first, second)
        for first, second in combinations(looks, 2)
        if first[1] == second[1] and least_difference(getattr(theme, first[0]), getattr(theme, second[0])) < APART
    ]


def looks_of(curves: Curves) -> list[tuple[str, tuple[float, ...]]]:
    return [(style.color, style.dash) for style in curves.styles]


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_that_no_curve_is_told_by_its_colour_alone(theme) -> None:
    plan = compile_plan(scene_of(PLATE))
    for curves in plot_contents(plan, 5):
        assert confused(looks_of(curves), theme) == [], curves.title
    assert confused([(style.color, style.dash) for style in RESIDUE_STYLES], theme) == []
    assert confused([(PRESENT, SOLID), *KEPT], theme) == []


def test_that_the_colours_of_axes_alone_would_not_do() -> None:
    """Without dashes the check finds y and z, which eyes without the receptor for blue confuse."""
    plain = [(f"axis_{letter}", SOLID) for letter in "xyz"]
    assert (plain[1], plain[2]) in confused(plain, DARK)
    assert (plain[1], plain[2]) in confused(plain, LIGHT)


def test_that_the_curves_of_a_vector_have_the_dashes_of_their_axes() -> None:
    assert [style.dash for style in xyz_styles("v")] == list(DASHES[:3])


@given(
    st.lists(
        st.builds(
            CurveStyle, st.text(max_size=2), st.sampled_from(("text", "axis_x", "omega")), st.sampled_from(DASHES)
        )
    )
)
def test_that_styles_are_made_distinct_once_and_for_all(styles) -> None:
    distinct = distinct_styles(styles)
    dashes = [style.dash for style in distinct]
    assert [style.name for style in distinct] == [style.name for style in styles]
    assert len(set(dashes)) == min(len(dashes), len(DASHES))
    assert distinct_styles(distinct) == distinct


def test_that_a_dash_that_is_free_is_kept() -> None:
    styles = [CurveStyle("a", dash=DOTTED), CurveStyle("b", dash=DOTTED), CurveStyle("c", dash=SOLID)]
    assert [style.dash for style in distinct_styles(styles)] == [DOTTED, SOLID, DASHES[1]]


# --- Names at the ends of curves


@given(
    arrays(np.float64, st.tuples(st.integers(1, 6), st.just(8)), elements=st.floats(-20.0, 120.0)),
    st.floats(60.0, 400.0),
    st.floats(5.0, 60.0),
)
def test_that_names_cover_neither_curves_nor_each_other(corners, width, name) -> None:
    columns = columns_of(width)
    ys = np.array([np.interp(columns, np.linspace(0.0, width, corners.shape[1]), row) for row in corners])
    places = place_names(ys, columns, [name] * len(ys), 100.0, 14.0)
    boxes = [(left, top, left + name, top + 14.0) for left, top in (place for place in places if place is not None)]
    for left, top, right, bottom in boxes:
        assert left >= 0.0
        assert right <= width
        assert top >= 0.0
        assert bottom <= 100.0
        beside = ys[:, (columns >= left) & (columns <= right)]
        assert not ((beside > top) & (beside < bottom)).any()
    for first, second in combinations(boxes, 2):
        assert first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]


def test_that_a_name_stands_next_to_its_curve() -> None:
    columns = columns_of(300.0)
    ys = np.array([np.full(len(columns), 20.0), np.full(len(columns), 60.0), np.full(len(columns), 62.0)])
    places = place_names(ys, columns, [20.0] * 3, 100.0, 14.0)
    assert [place is not None for place in places] == [True] * 3
    tops = [top for _, top in places]
    assert tops[1] == 60.0 - MARGIN - 14.0
    assert tops[2] == 62.0 + MARGIN


def test_that_names_are_in_the_plot_where_there_is_room(qtbot) -> None:
    t = np.linspace(0.0, 10.0, 200)
    apart = np.array([np.full(200, 1.0), np.zeros(200), np.full(200, -1.0)])
    plot = Plot()
    plot.resize(420, 240)
    show(plot, qtbot)
    plot.set_curves(Curves(t, apart, xyz_styles("v"), "Velocity", "", "m/s"))
    names = plot.canvas.names_item.names
    assert sorted(name.text for name in names) == ["vx", "vy", "vz"]
    assert {name.text: name.role for name in names}["vx"] == "axis_x_text"
    plot.toggle_curve(0)
    assert sorted(name.text for name in plot.canvas.names_item.names) == ["vy", "vz"]
    plot.set_curves(Curves(t, apart[:1], xyz_styles("v")[:1], "Velocity", "", "m/s"))
    assert plot.canvas.names_item.names == (), "a curve that is alone needs no name"


def test_that_names_go_where_the_view_ends(qapp) -> None:
    t = np.linspace(0.0, 10.0, 200)
    curves = Curves(t, np.array([t, -t]), (CurveStyle("up"), CurveStyle("down")))
    size = 300.0, 120.0
    whole = {name.text: name.area.top() for name in names_of(curves, (), size, (0.0, 10.0), (-11.0, 11.0))}
    half = {name.text: name.area.top() for name in names_of(curves, (), size, (0.0, 5.0), (-11.0, 11.0))}
    assert set(whole) == set(half) == {"up", "down"}
    assert half["up"] > whole["up"]


def test_that_a_picture_of_a_plot_has_the_dashes_and_the_names(tmp_path, qapp) -> None:
    t = np.linspace(0.0, 10.0, 200)
    apart = np.array([np.full(200, 1.0), np.zeros(200), np.full(200, -1.0)])
    curves = Curves(t, apart, xyz_styles("v"), "Velocity", "", "m/s")
    path = tmp_path / "plot.svg"
    write_plot(path, PlotPicture(curves, (0.0, 10.0), (-1.5, 1.5)), compile_plan(scene_of("framescope: 1")))
    text = path.read_text(encoding="utf-8")
    dashes = re.findall(r'stroke-dasharray="([^"]+)"', text)
    assert len(set(dashes)) >= 2, "y and z, in the legend and in the plot"
    assert len(re.findall(">vy<|>vy ?<", text)) == 2, "the name is in the legend and at the end"
