"""Signals of the table: complete records, and the values of those that a formula computes from a relation."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core import conventions
from framescope.core.evaluation.answer_texts import sentence_at
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.rounding import rounding_of
from framescope.core.evaluation.signal_curves import describe, plot_curves
from framescope.core.evaluation.signal_parser import SignalTextError, parse_signal
from framescope.core.kernels.rotation_angles import angles_between_axes, rotation_angle
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.scene.schema.signal_kinds import (
    SIGNALS,
    Components,
    Signal,
    all_signals,
    formula_of,
    signal_named,
    signals_of,
)
from framescope.core.simulation.simulate import simulate
from framescope.core.system.features import load_entry
from tests.support.scenes import scene_of

BY_NAME = {
    "angles",
    "principal angles",
    "branch 2 angles",
    "angle rates",
    "singularity",
    "condition number",
    "quaternion",
    "residues",
    "energy",
    "direction of x",
    "direction of y",
    "direction of z",
    "pixel",
    "port pixel",
}
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
    functions = (
        kind.compute,
        kind.requires,
        kind.references,
        kind.requires_reference,
        kind.rounding,
        kind.formula,
        kind.styles,
        kind.view_limit,
    )
    components = kind.components
    for entry in (*functions, components if isinstance(components, str) else ""):
        assert not entry or callable(load_entry(entry)), entry
    assert kind.dimension is None or kind.unit in UNITS[kind.dimension]
    assert kind.dimension is not None or not kind.unit
    assert bool(kind.symbol) != (kind.name in BY_NAME or kind.has_own_units)
    assert kind.order is not None or kind.item == "sensors"
    if kind.formula:
        assert formula_of(kind, "ZYX").arguments.keys() <= {"T", *"rvawz"}, "name the parts of a relation"
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
        ("direction of x of table relative to world", np.pi / 3, [0.5, np.sqrt(0.75), 0.0]),
        ("direction of z of tool in table", 0.7, [0.0, -1.0, 0.0]),
        ("look of table in world", np.pi / 3, [0.5, np.sqrt(0.75), 0.0]),
    ],
)
def test_that_signals_of_a_relation_have_their_known_values(text, t, expected) -> None:
    np.testing.assert_allclose(value(text, t), expected, atol=1e-12)
    signal = parse_signal(text, SCENE)
    assert parse_signal(describe(signal), SCENE) == signal


GRAVITIES = {
    "": (0.0, 0.0, -9.80665),
    "gravity: {value: [0, 0, -9.81], unit: m/s²}": (0.0, 0.0, -9.81),
    "gravity: {value: [0, 0, 1], unit: g}": (0.0, 0.0, 9.80665),
    "gravity: {value: [0, 0, 0], unit: m/s²}": (0.0, 0.0, 0.0),
    "gravity: {value: [0, 0, -9.81]}": (0.0, 0.0, 0.0),
}


@pytest.mark.parametrize(("gravity", "g_W"), GRAVITIES.items())
def test_that_the_specific_force_is_the_acceleration_less_the_gravity_of_the_scene(gravity, g_W) -> None:
    scene = parse_scene(f"""
framescope: 1
{gravity}
frames:
  cart: {{parent: world, position: {{value: ["3*t**2", 0, "-2*t**2"], unit: m}}}}
  imu: {{parent: cart, orientation: {{form: axis, axis: x, angle: 180, unit: deg}}}}
  tilted: {{parent: cart, orientation: {{form: axis, axis: y, angle: 30, unit: deg}}}}
""")[0]
    plan, a_W = compile_plan(scene), np.array([6.0, 0.0, -4.0])
    f = a_W - g_W
    half = np.sqrt(0.75)
    expected = {
        "world": f,
        "imu": f * [1, -1, -1],
        "tilted": [half * f[0] - 0.5 * f[2], f[1], 0.5 * f[0] + half * f[2]],
    }
    for resolved_in, vector in expected.items():
        for of in ("cart", "imu", "tilted"):
            text = f"specific force of {of} resolved in {resolved_in} in m/s²"
            signal = parse_signal(text, scene)
            np.testing.assert_allclose(plot_curves(plan, signal, np.array([0.7]))[0], vector, atol=1e-12)
            assert describe(signal) == text


def test_that_the_specific_force_at_rest_is_upward_and_turns_with_the_frame() -> None:
    """Golden numbers: an accelerometer at rest, as in sensor_msgs/Imu, reads +9.80665 along its axis that is up."""
    turn = {"form": "axis", "axis": "x", "angle": 90, "unit": "deg"}
    scene = Scene.model_validate({"frames": {"tool": {"parent": "world", "orientation": turn}}})
    plan = compile_plan(scene)
    signal = parse_signal("specific force of tool resolved in tool in m/s²", scene)
    np.testing.assert_allclose(plot_curves(plan, signal, np.array([0.0]))[0], [0, 9.80665, 0], atol=1e-14)
    assert sentence_at(plan, signal, 0.0) == "The specific force of tool is 9.81 m/s², along +y of tool."
    assert 0.0 < rounding_of(plan, signal) < 1e-11


def test_that_a_body_in_free_fall_has_no_specific_force_with_any_gravity() -> None:
    for gravity in ("", "gravity: {value: [1, -2, -9.81], unit: m/s²}"):
        scene = parse_scene(f"""
framescope: 1
time: {{end: 1 s}}
{gravity}
frames:
  stone: {{parent: world, motion: {{form: simulated, model: finite}}}}
  imu: {{parent: stone, position: {{value: [0, 0, 0], unit: m}}}}
bodies:
  stone: {{frame: stone, mass: 2 kg, inertia: uniform, shape: {{form: sphere, radius: 10 cm}}}}
""")[0]
        plan = compile_plan(scene, run=lambda job: simulate(job.system))
        signal = parse_signal("specific force of imu resolved in imu in m/s²", scene)
        np.testing.assert_allclose(plot_curves(plan, signal, np.array([0.2, 0.8])), 0.0, atol=1e-9)


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
