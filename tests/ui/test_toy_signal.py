"""A new signal is one entry of the table and its function: question bar, parser, schema, curves and plot know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from framescope.core.errors import SceneError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.rounding import rounding_of
from framescope.core.evaluation.signal_curves import SignalSamples, describe, labels, plot_curves, tabulate
from framescope.core.evaluation.signal_parser import SignalTextError, parse_signal
from framescope.core.kernels.validation import Array
from framescope.core.scene.files.json_schema import schema_text
from framescope.core.scene.schema import signal_kinds
from framescope.core.scene.schema.signal_kinds import SIGNALS, Signal, listed
from framescope.core.system import features
from framescope.core.system.features import Feature
from framescope.features.web_page.core import scene_code
from framescope.ui.panels.question.question_choices import all_signals
from framescope.ui.plots.plot_content import plot_contents
from tests.support.scenes import scene_of

TEXT = """\
framescope: 1
time: {start: 0 s, end: 2 s}
frames:
  kite: {parent: world, position: {value: [3, "4*t", 0], unit: m}}
view:
  plots:
  - {signal: distance, of: kite, relative_to: world, unit: cm}
"""

WORDS = "distance of kite relative to world in cm"


def distance(samples: SignalSamples) -> Array:
    """Return the distance (n, 1) of the origins of two frames."""
    signal = samples.signal
    offset = samples.snapshot.offset_W(samples.row, signal.relative_to)
    return np.linalg.norm(offset, axis=-1, keepdims=True)


DISTANCE = Signal(
    "distance",
    "frames",
    f"{__name__}:distance",
    frames=("relative_to",),
    dimension="length",
    unit="m",
    symbol="d",
    components=listed("distance"),
    order=14,
    rounding="framescope.core.evaluation.rounding:position_size",
    subtitle="{relation}, between the origins",
)


class ToyFeature(Feature):
    """A feature whose record lists the signal."""

    def load(self, entry: str) -> Any:
        return {"core.toys:DISTANCE": DISTANCE}[entry]


@pytest.fixture(params=["base", "feature"])
def toy(request, monkeypatch) -> Iterator[None]:
    """Add the signal to the table, or to the record of a feature."""
    if request.param == "base":
        monkeypatch.setitem(SIGNALS, "distance", DISTANCE)
        yield
        return
    installed = (*features.installed_features(), ToyFeature("toys", signals=("core.toys:DISTANCE",)))
    monkeypatch.setattr(features, "installed_features", lambda: installed)
    signal_kinds.signals_of_features.cache_clear()
    yield
    signal_kinds.signals_of_features.cache_clear()


def test_that_a_scene_has_no_toy_where_it_is_not_registered() -> None:
    with pytest.raises(SceneError, match="distance"):
        scene_of(TEXT)
    with pytest.raises(SignalTextError, match="is no signal"):
        parse_signal(WORDS, scene_of(TEXT.partition("view")[0]))


@pytest.mark.usefixtures("toy")
def test_that_a_toy_signal_is_read_chosen_computed_and_plotted() -> None:
    scene = scene_of(TEXT)
    plan, times = compile_plan(scene), np.array([0.0, 1.0])
    assert "distance" in [choice.quantity for choice in all_signals(scene) if choice.item == "kite"]
    signal = parse_signal(WORDS, scene)
    assert signal == plan.view_data.plots[0]
    assert describe(signal) == WORDS
    assert labels(plan, signal) == ("distance",)
    np.testing.assert_allclose(plot_curves(plan, signal, times), [[300.0], [500.0]])
    np.testing.assert_allclose(tabulate(plan, [signal], times)[f"{WORDS}: distance"], [300.0, 500.0])
    assert 0.0 < rounding_of(plan, signal) < 1e-8
    (chart,) = plot_contents(plan, 3)
    assert (chart.title, chart.subtitle, chart.unit) == (
        "Distance",
        "kite relative to world, between the origins",
        "cm",
    )
    assert [style.name for style in chart.styles] == ["d"]
    np.testing.assert_allclose(chart.ys[0], [300.0, 500.0, np.hypot(300.0, 800.0)])


@pytest.mark.usefixtures("toy")
def test_that_the_schema_names_a_toy_signal() -> None:
    assert '"distance"' in schema_text()
    with pytest.raises(SceneError, match='Did you mean "distance"'):
        scene_of(TEXT.replace("signal: distance", "signal: distanse"))


@pytest.mark.usefixtures("toy")
def test_that_a_page_shows_a_toy_signal_without_a_formula_as_it_was_exported() -> None:
    assert "signal_distance" not in scene_code.scene_code(compile_plan(scene_of(TEXT))).text
