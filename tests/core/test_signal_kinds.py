"""Signals of the table: complete records, and the values of those that a formula computes from a relation."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core import conventions
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.signal_curves import describe, plot_curves
from framescope.core.evaluation.signal_parser import SignalTextError, parse_signal
from framescope.core.kernels.rotation_angles import angles_between_axes, rotation_angle
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.scene.schema.signal_kinds import (
    SIGNALS,
    Components,
    Signal,
    all_signals,
    signal_named,
    signals_of,
)
from framescope.core.system.features import load_entry
from tests.support.scenes import scene_of

BY_NAME = {"angles", "angle rates", "singularity", "condition number", "quaternion", "residues", "energy"}
"""Signals without a symbol: the legend names their components."""

SCENE = scene_of("""
framescope: 1
frames:
  table: {parent: world, orientation: {form: axis, axis: z, angle: "t", unit: rad}}
  tool: {parent: table, orientation: {form: axis, axis: x, angle: 90, unit: deg}}
  kite: {parent: table, position: {value: [3, "4*t", 0], unit: m}}
  lost: {parent: world, motion: {form: simulated, model: finite}}
""")


def value(text: str, t: float) -> np.ndarray:
    """Return the values of a signal at a time."""
    return plot_curves(compile_plan(SCENE), parse_signal(text, SCENE), np.array([t]))[0]


@pytest.mark.parametrize("kind", SIGNALS.values(), ids=lambda kind: kind.name)
def test_that_each_record_is_complete(kind: Signal) -> None:
    assert signal_named(kind.name) is kind
    functions = (kind.compute, kind.requires, kind.rounding, kind.formula, kind.styles, kind.view_limit)
    components = kind.components
    for entry in (*functions, components if isinstance(components, str) else ""):
        assert not entry or callable(load_entry(entry)), entry
    assert kind.dimension is None or kind.unit in UNITS[kind.dimension]
    assert kind.dimension is not None or not kind.unit
    assert bool(kind.symbol) != (kind.name in BY_NAME or kind.has_own_units)
    assert kind.order is not None or kind.item == "sensors"
    if kind.formula:
        assert load_entry(kind.formula).arguments.keys() <= {"T", *"rvawz"}, "name the parts of a relation"
    if isinstance(components, Components):
        assert set(components.usual) <= {*components.columns} <= {*components.every, *components.usual}


@pytest.mark.parametrize("item", ["frames", "measured", "points", "elements", ""])
def test_that_signals_of_an_item_have_places_of_their_own(item) -> None:
    orders = [kind.order for kind in signals_of(item)]
    assert orders == sorted(set(orders))


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-9, 0.3, np.pi / 2, 3.0, np.pi - 1e-9, np.pi - 1e-12, np.pi])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.0, 0.8), (-2.0, 3.0, 6.0)])
def test_that_the_rotation_angle_is_exact_near_0_and_180_degrees(axis, angle) -> None:
    vector = angle * np.array(axis) / np.linalg.norm(axis)
    T = conventions.T_from_rotation_vector(vector)
    assert float(rotation_angle(T)) == pytest.approx(angle, abs=4e-16, rel=4e-16)
    assert float(rotation_angle(T.T)) == pytest.approx(angle, abs=4e-16, rel=4e-16)


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-9, 0.3, np.pi / 2, np.pi - 1e-9, np.pi])
def test_that_angles_between_axes_are_those_of_the_matrix_and_exact_near_0_and_180_degrees(tilt) -> None:
    T = conventions.T_from_rotation_vector((tilt, 0.0, 0.0))
    angles = angles_between_axes(T).reshape(3, 3)
    np.testing.assert_allclose(np.cos(angles), T, atol=1e-15)
    assert angles[2, 2] == pytest.approx(tilt, abs=4e-16)
    assert angles[0, 0] == 0.0


@pytest.mark.parametrize(
    ("text", "t", "expected"),
    [
        ("rotation angle of table relative to world in deg", np.pi / 3, [60.0]),
        ("rotation angle of world relative to table in deg", np.pi / 3, [60.0]),
        ("rotation angle of table relative to world in deg", 4.0 * np.pi / 3, [120.0]),
        ("rotation angle of table relative to world in turn", np.pi, [0.5]),
        ("rotation angle of tool relative to tool in rad", 1.0, [0.0]),
        ("angle between axes of tool relative to table in deg", 0.7, [0.0, 90.0, 90.0]),
        ("angle between axes of tool relative to table in deg: z to y, y to z", 0.7, [180.0, 0.0]),
        ("angle between axes of tool relative to world in deg: x to x, z to y", np.pi / 6, [30.0, 150.0]),
        ("range rate of kite relative to table in m/s", 1.0, [3.2]),
        ("range rate of kite relative to world in m/s", 1.0, [3.2]),
        ("range rate of world relative to kite in mm/s", 1.0, [3200.0]),
        ("range rate of kite relative to tool in m/s", 0.0, [0.0]),
        ("range rate of tool relative to table in m/s", 0.0, [np.nan]),
    ],
)
def test_that_signals_of_a_relation_have_their_known_values(text, t, expected) -> None:
    np.testing.assert_allclose(value(text, t), expected, atol=1e-12)
    signal = parse_signal(text, SCENE)
    assert parse_signal(describe(signal), SCENE) == signal


def test_that_the_range_rate_is_the_derivative_of_the_norm_of_the_position() -> None:
    plan, times, step = compile_plan(SCENE), np.linspace(0.0, 2.0, 9), 1e-5
    rate = plot_curves(plan, parse_signal("range rate of kite relative to tool in m/s", SCENE), times)
    norm = parse_signal("position of kite relative to tool resolved in tool in m: norm", SCENE)
    before, after = (plot_curves(plan, norm, times + side * step) for side in (-1, 1))
    np.testing.assert_allclose(rate, (after - before) / (2.0 * step), atol=1e-8)


@pytest.mark.parametrize(
    "text", ["rotation angle of {} in deg", "angle between axes of {} in deg", "range rate of {} in m/s"]
)
def test_that_signals_of_an_unknown_relation_are_unknown(text) -> None:
    assert np.isnan(value(text.format("lost relative to world"), 1.0)).all()


def test_that_a_misspelt_signal_gets_a_hint() -> None:
    with pytest.raises(SignalTextError, match="rotation angle"):
        parse_signal("rotaton angle of table relative to world in deg", SCENE)
    with pytest.raises(SignalTextError, match=r"angle between axes has no component .z to w.*z to"):
        parse_signal("angle between axes of tool relative to table in deg: z to w", SCENE)


def test_that_the_table_lists_signals_once() -> None:
    assert list(all_signals()) == list(SIGNALS)
