"""Plots: fewer points that look the same, ranges, curves, cursors, and scrubbing by mouse."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from framescope.ui.plots.curves import Curves, CurveStyle, xyz_styles
from framescope.ui.plots.decimate import decimate_min_max
from framescope.ui.plots.plot import Plot
from framescope.ui.plots.plot_panel import AT_ONCE, PlotPanel
from framescope.ui.plots.ranges import scale_for, value_range
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT, channels
from tests.support.hands import show

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
T = np.linspace(0.0, 10.0, 501)
WAVES = np.stack([np.sin(T), np.cos(T), 0.1 * T - 0.5])

heights = arrays(
    np.float64,
    st.integers(0, 300),
    elements=st.one_of(st.floats(-1e6, 1e6), st.sampled_from([math.nan, math.inf, -math.inf, 0.0])),
)


def waves(**changes) -> Curves:
    return Curves(
        **{"t": T, "ys": WAVES, "styles": xyz_styles("ω"), "title": "Angular velocity", "unit": "rad/s"} | changes
    )


@pytest.fixture
def panel(qapp, qtbot):
    current_theme.apply_theme(qapp, DARK)
    panel = PlotPanel()
    qtbot.addWidget(panel)
    panel.resize(900, 240)
    panel.show()
    with qtbot.waitExposed(panel):
        pass
    yield panel
    if current_theme.current() is not DARK:
        current_theme.apply_theme(qapp, DARK)


def picture(widget) -> QImage:
    QApplication.processEvents()  # what is laid out anew
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def place(plot, t: float) -> QPoint:
    """Return where a time stands in the plotting area."""
    QApplication.processEvents()
    canvas = plot.canvas
    return canvas.mapFromScene(canvas.box.mapViewToScene(QPointF(t, 0.0)))


def seconds_per_pixel(plot) -> float:
    return 1.0 / (place(plot, 9.0).x() - place(plot, 1.0).x()) * 8.0


def is_seen(color: str, colors: set[str]) -> bool:
    """Tell whether a colour is there, or nearly: a line of 1.5 pixels may cover three quarters of two."""
    wanted = channels(color)
    return min(max(abs(a - b) for a, b in zip(channels(c), wanted, strict=True)) for c in colors) < 0.3


def colors_at(plot, t: float) -> set[str]:
    """Collect the colours in the column of pixels of a time."""
    image, x = picture(plot.canvas), place(plot, t).x()
    return {image.pixelColor(x, y).name().upper() for y in range(image.height())}


# --- Fewer points


@given(heights, st.integers(2, 60))
@example(np.full(100, math.nan), 4)
@example(np.arange(5.0), 2)
def test_that_the_extremes_survive_in_order(y, n_buckets) -> None:
    x = np.arange(float(len(y)))
    kept_x, kept_y = decimate_min_max(x, y, n_buckets)
    assert len(kept_x) == len(kept_y) <= 2 * n_buckets
    assert (np.diff(kept_x) >= 0).all()
    # Every point that is kept is one of the curve.
    np.testing.assert_array_equal(kept_y, y[kept_x.astype(int)])
    if len(y):
        assert (kept_x[0], kept_x[-1]) == (x[0], x[-1])
    if not np.isnan(y).all():
        assert (np.nanmin(kept_y), np.nanmax(kept_y)) == (np.nanmin(y), np.nanmax(y))


@given(heights, st.integers(2, 400))
def test_that_a_short_curve_stays_as_it_is(y, n_buckets) -> None:
    x = np.arange(float(len(y)))
    if len(y) <= 2 * n_buckets:
        kept_x, kept_y = decimate_min_max(x, y, n_buckets)
        assert kept_x is x
        assert kept_y is y


def test_that_a_gap_stays_a_gap() -> None:
    y = np.sin(T)
    y[200:300] = math.nan
    kept_x, kept_y = decimate_min_max(T, y, 50)
    is_missing = np.isnan(kept_y)
    assert is_missing.any()
    assert T[200] <= kept_x[is_missing].min()
    assert kept_x[is_missing].max() <= T[299]


def test_that_a_spike_of_one_sample_is_seen() -> None:
    y = np.zeros(100_000)
    y[54_321] = -3.0
    kept_x, kept_y = decimate_min_max(np.arange(100_000.0), y, 200)
    assert kept_y.min() == -3.0
    assert kept_x[kept_y.argmin()] == 54_321


# --- Ranges


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([0.0, 10.0], 0.0, 10.8),
        ([-10.0, 0.0], -10.8, 0.0),
        ([3.0, 10.0], 0.0, 10.8),
        ([-10.0, -3.0], -10.8, 0.0),
        ([90.0, 100.0], 89.2, 100.8),
        ([-1.0, 1.0], -1.16, 1.16),
        ([5.0, 5.0], 0.0, 10.0),
        ([-5.0, -5.0], -10.0, 0.0),
        ([0.0, 0.0], -1.0, 1.0),
        ([], -1.0, 1.0),
        ([math.nan, math.nan], -1.0, 1.0),
        ([0.0, math.nan, math.inf, 10.0, -math.inf], 0.0, 10.8),
    ],
)
def test_that_a_range_holds_the_curves_and_zero_where_that_costs_little(values, low, high) -> None:
    assert value_range(np.array(values)) == pytest.approx((low, high))


def test_that_rounding_is_not_spread_over_the_whole_plot() -> None:
    assert value_range(np.array([1.0, 1.0 + 1e-12])) == pytest.approx((0.0, 2.0))


@given(arrays(np.float64, st.integers(1, 20), elements=st.floats(-1e300, 1e300)))
@example(np.array([0.0, 1e-310]))
@example(np.array([5e-324]))
@example(np.array([-1e300, 1e300]))
def test_that_every_curve_has_a_range_and_a_scale(values) -> None:
    low, high = value_range(values)
    assert low < high
    assert low <= values.min()
    assert values.max() <= high
    scale = scale_for(low, high)
    assert 0 < scale.factor < math.inf
    largest = max(abs(low), abs(high))
    if largest > 1e-300:  # below it a power of ten has few digits itself
        assert largest * scale.factor * 10**scale.decimals > 99  # three digits at least


@pytest.mark.parametrize(
    ("largest", "unit", "text", "decimals"),
    [
        (1.0, "rad/s", "", 3),
        (0.02, "", "", 4),
        (5000.0, "", "", 1),
        (1.6e-4, "", "in 1e−6", 1),
        (2e-3, "", "in 1e−3", 3),
        (3e7, "", "in 1e6", 2),
        (180.0, "°", "", 1),
        (180.0, "°/s", "", 2),
        (0.1, "°", "", 3),
        (0.1, "°/s", "", 3),
        (1e-15, "°", "", 9),
        (0.0, "", "", 2),
    ],
)
def test_that_small_and_large_values_are_scaled_by_thousands(largest, unit, text, decimals) -> None:
    scale = scale_for(-largest, largest / 2, unit)
    assert (scale.text, scale.decimals) == (text, decimals)


# --- Curves


def test_that_curves_are_interpolated_between_their_samples() -> None:
    curves = Curves(np.array([0.0, 1.0, 3.0]), np.array([[0.0, 2.0, 4.0], [1.0, 1.0, -1.0]]), xyz_styles()[:2])
    np.testing.assert_allclose(curves.at(0.25), [0.5, 1.0])
    np.testing.assert_allclose(curves.at(2.0), [3.0, 0.0])
    for i, t in enumerate(curves.t):
        np.testing.assert_array_equal(curves.at(t), curves.ys[:, i])


@pytest.mark.parametrize("t", [-1e-9, 3.1, math.nan, math.inf])
def test_that_there_is_no_value_outside_the_times(t) -> None:
    curves = Curves(np.array([0.0, 3.0]), np.ones((2, 2)), xyz_styles()[:2])
    np.testing.assert_array_equal(curves.at(t), [math.nan, math.nan])


def test_that_a_missing_neighbour_does_not_take_a_sample_away() -> None:
    curves = Curves(np.array([0.0, 1.0, 2.0]), np.array([[1.0, math.nan, 3.0]]), xyz_styles()[:1])
    assert curves.at(0.0) == [1.0]
    assert curves.at(2.0) == [3.0]
    assert np.isnan(curves.at(0.5))
    assert np.isnan(curves.at(1.0))


def test_that_curves_of_one_sample_or_none_have_values_or_none() -> None:
    one = Curves(np.array([2.0]), np.array([[5.0]]), xyz_styles()[:1])
    assert one.at(2.0) == [5.0]
    none = Curves(np.empty(0), np.empty((1, 0)), xyz_styles()[:1])
    assert np.isnan(none.at(0.0))


def test_that_what_is_handed_out_is_a_copy() -> None:
    curves = waves(ys=WAVES.copy())
    curves.at(0.0)[0] = 99.0
    assert curves.ys[0, 0] == 0.0


@pytest.mark.parametrize("shape", [(2, 501), (3, 500), (501, 3), (1503,)])
def test_that_curves_of_another_shape_are_refused(shape) -> None:
    with pytest.raises(ValueError, match=r"ys has shape .* need \(3, 501\)"):
        waves(ys=np.zeros(shape))


def test_that_the_styles_of_a_vector_are_named_and_coloured_by_axis() -> None:
    assert [style.name for style in xyz_styles("ω")] == ["ωx", "ωy", "ωz"]
    assert [style.color for style in xyz_styles()] == ["axis_x", "axis_y", "axis_z"]


# --- The panel


def test_that_a_panel_without_plots_says_what_to_do(panel) -> None:
    for contents in ([], [None], [Curves(np.empty(0), np.empty((0, 0)), ())]):
        panel.set_plots(contents)
        (plot,) = panel.plots
        assert plot.curves is None
        assert plot.empty_state.isVisible()
        panel.set_cursor(1.0)
        assert plot.values_at_cursor() is None


def test_that_plots_stand_side_by_side_and_come_and_go(panel) -> None:
    for count in (1, 3, 2, 1):
        panel.set_plots([waves()] * count)
        QApplication.processEvents()
        assert len(panel.plots) == count
        assert all(plot.curves is not None and plot.canvas.isVisible() for plot in panel.plots)
        assert all(plot.isVisible() for plot in panel.plots)


def test_that_the_values_at_the_cursor_are_those_of_the_curves(panel) -> None:
    panel.set_plots([waves(), waves(ys=1e-6 * WAVES)])
    panel.set_cursor(3.21)
    for plot, factor in zip(panel.plots, (1.0, 1e-6), strict=True):
        expected = [math.sin(3.21), math.cos(3.21), 0.1 * 3.21 - 0.5]
        np.testing.assert_allclose(plot.values_at_cursor(), factor * np.array(expected), rtol=1e-3)
    # The legend shows them scaled as the plot is.
    small = panel.plots[1]
    np.testing.assert_allclose(small.header.values, small.values_at_cursor() * small.canvas.value_scale.factor)
    assert small.canvas.value_scale.text == "in 1e−6"
    assert "in 1e−6" in small.header.toolTip()


def test_that_the_cursor_stays_where_it_is_when_the_curves_change(panel) -> None:
    panel.set_plots([waves()])
    panel.set_cursor(2.0)
    panel.set_plots([waves(ys=2.0 * WAVES)])
    np.testing.assert_allclose(panel.plots[0].values_at_cursor(), 2.0 * waves().at(2.0))


def test_that_the_cursor_is_drawn_at_its_time_and_nowhere_else(panel) -> None:
    panel.set_plots([waves()])
    (plot,) = panel.plots
    without = picture(plot.canvas)
    panel.set_cursor(6.0)
    at = place(plot, 6.0).x()
    image = picture(plot.canvas)
    columns = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y) != without.pixelColor(x, y) for y in range(0, image.height(), 3))
    ]
    assert columns
    assert all(abs(x - at) <= 6 for x in columns)
    panel.set_cursor(60.0)
    assert picture(plot.canvas) == without


@pytest.mark.parametrize(("unit", "decimals"), [("°", None), ("°", 1), ("°/s", 2), ("", 1)])
def test_that_values_of_a_small_range_have_the_digits_that_tell_them_apart(panel, unit, decimals) -> None:
    panel.set_plots([waves(ys=0.05 * WAVES, unit=unit, decimals=decimals)])
    plot = panel.plots[0]
    told = {f"{value:.{plot.canvas.value_scale.decimals}f}" for value in 0.05 * np.linspace(-1.0, 1.0, 100)}
    assert len(told) >= 99  # and not "0.0" for all of them


def test_that_the_legend_shows_the_values_and_wraps_where_there_is_no_room(panel) -> None:
    panel.set_plots([waves()])
    (plot,) = panel.plots
    before = picture(plot.header)
    panel.set_cursor(5.0)
    assert picture(plot.header) != before
    assert plot.header.lines_needed == 0
    panel.resize(300, 240)
    assert plot.header.lines_needed >= 1
    assert plot.header.height() > before.height()


def test_that_four_plots_have_room_below_the_scene_of_a_usual_window(panel, qapp) -> None:
    panel.resize(999, 201)
    panel.set_plots([waves()] * 4)
    qapp.processEvents()
    bars = (area.horizontalScrollBar() for area in panel.findChildren(QScrollArea))
    assert not any(bar.isVisible() or bar.maximum() > 0 for bar in bars)


def test_that_plots_side_by_side_stand_level(panel) -> None:
    styles = tuple(CurveStyle(f"residue {i}") for i in range(6))
    panel.set_plots([waves(), waves(ys=np.zeros((6, len(T))), styles=styles)])
    headers = [plot.header for plot in panel.plots]
    assert headers[1].lines_needed > headers[0].lines_needed
    assert headers[0].height() == headers[1].height()


def words_in(header) -> str:
    return " ".join(text for row in header.word_rows() for text, _, _ in row)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_that_plots_side_by_side_name_their_frames(panel, qapp, count: int) -> None:
    panel.resize(999, 201)
    subtitles = [
        "body_flu relative to world, resolved in body_flu",
        "imu_data: imu relative to world, resolved in imu",
        "camera_optical_frame relative to base_footprint",
        "inner ring relative to stand",
    ]
    panel.set_plots([waves(subtitle=subtitle) for subtitle in subtitles[:count]])
    qapp.processEvents()
    for plot, subtitle in zip(panel.plots, subtitles, strict=False):
        words = words_in(plot.header)
        assert words.startswith("Angular velocity")
        assert "…" not in words
        assert "rad/s" in words
        for name in ("body_flu", "imu_data", "imu", "camera_optical_frame", "base_footprint", "inner ring", "stand"):
            assert words.count(name) >= subtitle.count(name)


def test_that_a_subtitle_with_room_beside_the_title_costs_no_row(panel, qapp) -> None:
    panel.set_plots([waves()])
    qapp.processEvents()
    low = panel.plots[0].header.height()
    panel.set_plots([waves(subtitle="tip relative to world")])
    qapp.processEvents()
    assert panel.plots[0].header.height() == low
    panel.set_plots([waves(subtitle="tip relative to world, resolved in world and more words than fit in one row" * 2)])
    qapp.processEvents()
    assert panel.plots[0].header.height() > low
    panel.set_plots([waves(subtitle="tip relative to world")])
    qapp.processEvents()
    assert panel.plots[0].header.height() == low


def test_that_every_curve_is_drawn_in_its_colour(panel) -> None:
    flat = np.repeat([[-1.0], [0.2], [1.0]], len(T), axis=1)
    panel.set_plots([waves(ys=flat)])
    colors = colors_at(panel.plots[0], 5.03)
    assert all(is_seen(color, colors) for color in DARK.axes)


def test_that_twelve_curves_are_shown_and_followed(panel) -> None:
    styles = tuple(CurveStyle(f"c{i}", "text") for i in range(12))
    panel.set_plots([waves(ys=np.stack([np.sin(T + i) for i in range(12)]), styles=styles)])
    for t in (0.0, 5.0, 10.0):
        panel.set_cursor(t)
        np.testing.assert_allclose(panel.plots[0].values_at_cursor(), [math.sin(t + i) for i in range(12)], atol=1e-12)
    assert len(panel.plots[0].canvas.curve_items) == 12
    panel.set_plots([waves()])
    assert len(panel.plots[0].canvas.curve_items) == 3


@pytest.mark.parametrize(
    "ys",
    [
        np.full((1, 501), math.nan),
        np.where(T % 2 < 1, np.sin(T), math.nan)[None],
        np.where(T[250] == T, math.inf, T)[None],
        np.zeros((1, 501)),
        np.full((1, 501), 1e-310),
        np.full((1, 501), 1e300),
    ],
    ids=["nothing", "gaps", "infinite", "zero", "tiny", "huge"],
)
def test_that_curves_with_odd_values_are_drawn(panel, ys) -> None:
    panel.set_plots([waves(ys=ys, styles=xyz_styles()[:1])])
    panel.set_cursor(5.0)
    assert not picture(panel).isNull()


@pytest.mark.parametrize("peak", [1e9, 1e12, 1e300, -1e16])
def test_that_a_peak_far_beyond_the_view_does_not_hide_its_curve(panel, peak) -> None:
    ys = np.full((1, 501), 50.0)
    ys[0, 250] = peak
    style = xyz_styles()[:1]
    panel.set_plots([waves(ys=ys, styles=style, y_most=100.0)])
    assert is_seen(current_theme.color(style[0].color), colors_at(panel.plots[0], 2.0))


@pytest.mark.parametrize("n", [0, 1, 2])
def test_that_curves_of_few_samples_are_drawn(panel, n) -> None:
    panel.set_plots([waves(t=T[:n], ys=WAVES[:, :n])])
    panel.set_cursor(0.0)
    assert not picture(panel).isNull()


def test_that_what_grows_beyond_all_numbers_is_plotted_as_far_as_it_has_a_scale(panel) -> None:
    grown = np.repeat([np.exp(np.linspace(0.0, 709.0, len(T)))], 3, axis=0) * [[1.0], [-2.0], [2.0]]
    assert value_range(grown)[1] < 1.1e300
    panel.set_plots([waves(ys=grown)])
    panel.set_cursor(9.9)
    assert panel.plots[0].canvas.value_scale.exponent == 297
    assert not picture(panel).isNull()


def test_that_a_span_of_time_is_tinted(panel) -> None:
    panel.set_plots([waves(ys=np.ones((3, len(T))))])
    (plot,) = panel.plots
    before = colors_at(plot, 3.03)
    panel.set_region((2.0, 4.0, "axis_y"))
    assert colors_at(plot, 3.03) != before
    assert DARK.plot_ground not in colors_at(plot, 3.03)
    assert DARK.plot_ground in colors_at(plot, 7.03)
    panel.set_region(None)
    assert colors_at(plot, 3.03) == before


def test_that_a_span_outside_of_what_is_looked_at_tints_nothing(panel) -> None:
    panel.set_plots([waves(ys=np.ones((3, len(T))))], (0.0, 10.0))
    (plot,) = panel.plots
    plot.canvas.set_t_view((0.0, 1.0))
    before = picture(plot)
    panel.set_region((2.0, 4.0, "axis_y"))
    assert picture(plot) == before


def test_that_many_new_plots_come_one_after_another_with_cursor_and_span_and_are_all_there(panel, qtbot) -> None:
    panel.set_cursor(3.0)
    panel.set_region((2.0, 4.0, "axis_y"))
    panel.set_plots([waves(title=f"plot {i}") for i in range(8)], (0.0, 10.0))
    assert len(panel.plots) == 1 + AT_ONCE  # the empty one was there
    qtbot.waitUntil(lambda: len(panel.plots) == 8)
    assert [plot.curves.title for plot in panel.plots] == [f"plot {i}" for i in range(8)]
    for plot in panel.plots:
        np.testing.assert_allclose(plot.values_at_cursor(), [np.sin(3.0), np.cos(3.0), -0.2], atol=1e-3)
    panel.scroll_area.ensureWidgetVisible(panel.plots[-1])
    assert DARK.plot_ground not in colors_at(panel.plots[-1], 2.53)


def test_that_plots_still_to_come_are_those_that_were_wanted_last(panel, qtbot) -> None:
    panel.set_plots([waves(title=f"old {i}") for i in range(10)])
    panel.set_plots([waves(title=f"new {i}") for i in range(5)])
    qtbot.waitUntil(lambda: len(panel.plots) == 5)
    assert [plot.curves.title for plot in panel.plots] == [f"new {i}" for i in range(5)]
    panel.set_plots([waves(title=f"old {i}") for i in range(10)])
    panel.set_plots([])
    assert len(panel.plots) == 1
    QApplication.processEvents()
    assert len(panel.plots) == 1
    assert panel.plots[0].curves is None


# --- Scrubbing


@pytest.fixture
def scrubs(panel):
    """Give a panel of two plots and what it says."""
    heard = []
    panel.set_plots([waves(), waves()])
    panel.scrubbed.connect(heard.append)
    panel.scrub_finished.connect(lambda: heard.append("finished"))
    return heard


@pytest.mark.parametrize("index", [0, 1])
def test_that_a_drag_in_a_plot_scrubs_to_the_right_time(panel, scrubs, index) -> None:
    plot = panel.plots[index]
    view, tolerance = plot.canvas.viewport(), seconds_per_pixel(plot)
    down = QPoint(0, view.height() // 2 - place(plot, 0.0).y())
    QTest.mousePress(view, LEFT, PLAIN, place(plot, 2.0) + down)
    assert scrubs == [pytest.approx(2.0, abs=tolerance)]
    for t in (3.0, 5.5, 8.0):
        QTest.mouseMove(view, place(plot, t) + down)
        assert scrubs[-1] == pytest.approx(t, abs=tolerance)
    QTest.mouseRelease(view, LEFT, PLAIN, place(plot, 8.0) + down)
    assert scrubs[-1] == "finished"
    assert scrubs.count("finished") == 1
    QTest.mouseMove(view, place(plot, 4.0) + down)
    assert scrubs[-1] == "finished"


def test_that_a_drag_beyond_the_plot_stays_at_its_ends(panel, scrubs) -> None:
    view = panel.plots[0].canvas.viewport()
    QTest.mousePress(view, LEFT, PLAIN, QPoint(200, 60))
    QTest.mouseMove(view, QPoint(view.width() + 300, 60))
    QTest.mouseMove(view, QPoint(-300, 60))
    QTest.mouseRelease(view, LEFT, PLAIN, QPoint(-300, 60))
    assert scrubs[1:] == [10.0, 0.0, "finished"]


def test_that_a_given_range_of_time_is_the_one_scrubbed_in(panel, scrubs) -> None:
    panel.set_plots([waves()], (0.0, 20.0))
    (plot,) = panel.plots
    at = QPoint(place(plot, 15.0).x(), 60)
    QTest.mouseClick(plot.canvas.viewport(), LEFT, PLAIN, at)
    assert scrubs == [pytest.approx(15.0, abs=seconds_per_pixel(plot)), "finished"]


def test_that_the_other_button_and_the_wheel_change_nothing(panel, scrubs) -> None:
    view = panel.plots[0].canvas.viewport()
    before = picture(panel)
    QTest.mouseClick(view, Qt.MouseButton.RightButton, PLAIN, QPoint(200, 60))
    assert scrubs == []
    assert picture(panel) == before


# --- The theme


def test_that_a_plot_follows_a_change_of_theme(qapp, panel) -> None:
    flat = np.repeat([[-1.0], [0.2], [1.0]], len(T), axis=1)
    panel.set_plots([waves(ys=flat), None])
    panel.set_cursor(5.0)
    for theme in (LIGHT, DARK):  # words are as wide as they are once they were dressed
        current_theme.apply_theme(qapp, theme)
        picture(panel)
    dark = picture(panel)
    current_theme.apply_theme(qapp, LIGHT)
    colors = colors_at(panel.plots[0], 3.03)
    assert all(is_seen(color, colors) for color in LIGHT.axes)
    assert LIGHT.plot_ground in colors
    assert DARK.axis_x not in colors
    assert DARK.plot_ground not in colors
    assert picture(panel).pixelColor(1, 1) == QColor(LIGHT.panel)
    current_theme.apply_theme(qapp, DARK)
    assert picture(panel) == dark


@pytest.mark.parametrize("end", [1e-3, 30.0, 1200.0, 20_000.0, 1.5e6])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_that_the_numbers_of_the_time_axis_are_all_there_and_whole(qtbot, end, scale) -> None:
    plot = Plot()
    qtbot.addWidget(plot)
    plot.resize(420, 240)
    show(plot, qtbot)
    plot.canvas.set_scale(scale)
    plot.set_curves(waves(t=T / T[-1] * end), (0.0, end))
    QApplication.processEvents()
    axis = plot.canvas.bottom
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    _, _, texts = axis.generateDrawSpecs(painter)
    painter.end()
    labels = axis._tickLevels[0]  # noqa: SLF001
    assert [text for _, _, text in texts] == [label for _, label in labels]
    whole = axis.mapRectToScene(texts[-1][0])
    assert whole.right() <= plot.canvas.width() + 1.0
    assert axis.mapRectToScene(texts[0][0]).left() >= 0.0
