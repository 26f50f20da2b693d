"""The numbers of an orientation in the whole window: the same at one time, whichever way it was reached."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from framescope.app.cli.evaluate import evaluate_to
from framescope.core.evaluation.evaluate import compile_plan
from tests.support.hands import CTRL, Key, drag, strike, type_in, x_of
from tests.support.whole_window import ALT, click, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
time: {start: 0 s, end: 10 s}
frames:
  base: {parent: world, orientation: {form: axes, sequence: ZYX, angles: ["50*t", "20*sin(t)", "30*t"], unit: deg}}
  spun: {parent: base, orientation: {form: axis, axis: y, angle: "100*t", unit: deg}}
  written: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [385.72, 20, 0], unit: deg}}
  quat: {parent: world, orientation: {form: quaternion, value: [0, 0, 0.6, 0.8], order: xyzw}}
view:
  plots:
    - {signal: angles, of: spun, relative_to: base, sequence: XYZ, unit: deg}
    - {signal: quaternion, of: spun, relative_to: base}
    - {signal: angles, of: written, relative_to: world, sequence: XYZ, unit: deg}
    - {signal: quaternion, of: quat, relative_to: world}
"""


@pytest.fixture
def wiring(qtbot, tmp_path):
    path = tmp_path / "numbers.yaml"
    path.write_text(SCENE)
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        strike_in(wiring, Key.Key_2, ALT)  # all forms in view
        yield wiring


def in_plot(wiring, i_plot: int, t: float) -> np.ndarray:
    session = wiring.session
    wait_for(lambda: len(wiring.window.plots.plots) == 4)
    plot = wiring.window.plots.plots[i_plot]
    wait_for(lambda: plot.curves is not None and len(plot.curves.t) > 1000)
    assert session.snapshot.t == pytest.approx(t)
    assert "followed from the start of the scene" in plot.header.toolTip()
    return plot.curves.at(t)


def shown(wiring, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the continuous angles of the inspector, its fields and its quaternion."""
    wiring.session.select(("frames", name))
    parts = wiring.window.inspector.orientation.parts
    fields = np.array([row.value_deg for row in parts.turns.rows])
    return np.array(parts.table.rows[2].values), fields, np.array(parts.quaternion.editor.values)


def on_command_line(wiring, text: str, t: float, rate: float, capsys) -> list[float]:
    plan = compile_plan(wiring.session.document.scene)
    evaluate_to(plan, [text], Path("-"), start=0.0, stop=None, rate=rate)
    table = np.genfromtxt(io.StringIO(capsys.readouterr().out), delimiter=",", skip_header=1)
    return table[np.argmin(np.abs(table[:, 0] - t)), 1:].tolist()


def ways_to(session, t: float):
    """Yield the names of ways to a time, each when it has been gone."""
    session.scrub(0.0)
    session.scrub(t)
    yield "jumped"
    for at in np.linspace(10.0, t, 40):
        session.scrub(float(at))
    yield "scrubbed back"
    session.jump(to_end=True)
    session.step(-20)
    session.scrub(t)
    yield "stepped back"
    session.scrub(t - 0.1)
    session.toggle_play()
    wait_for(lambda: session.snapshot.t > t - 0.05)
    session.toggle_play()
    session.scrub(t)
    yield "played"
    for name in ("base", "quat"):
        session.select(("frames", name))
        session.scrub(2.0)
    session.scrub(t)
    yield "seen elsewhere"


def test_that_a_number_is_that_of_the_scene_and_the_time_whichever_way_it_was_reached(wiring, capsys) -> None:
    t = 9.0
    found = {way: shown(wiring, "spun") for way in ways_to(wiring.session, t)}
    continuous, fields, Q = found["jumped"]
    for way, other in found.items():
        for a, b in zip(found["jumped"], other, strict=True):
            np.testing.assert_allclose(b, a, atol=1e-9, err_msg=way)
    np.testing.assert_allclose(continuous, [0.0, 900.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(fields, continuous, atol=1e-9)
    half = np.radians(450.0)
    np.testing.assert_allclose(Q, [0.0, np.sin(half), 0.0, np.cos(half)], atol=1e-9)
    np.testing.assert_allclose(in_plot(wiring, 0, t), continuous, atol=0.1)
    np.testing.assert_allclose(in_plot(wiring, 1, t), Q, atol=1e-2)
    wiring.window.show_dock("readouts")
    (row,) = (block.branches[2] for block in wiring.window.readouts.blocks if block.branches[2].isVisible())
    np.testing.assert_allclose(row.values, continuous, atol=1e-9)
    for rate in (1.0, 10.0):
        told = on_command_line(wiring, "angles of spun relative to base by XYZ in deg", t, rate, capsys)
        np.testing.assert_allclose(told, continuous, atol=1e-6)


def test_that_what_is_kept_as_keyframes_has_the_same_angles_in_fields_and_plot(wiring) -> None:
    session, window = wiring.session, wiring.window
    session.select(("frames", "written"))
    slider = window.inspector.orientation.rows[1].slider
    drag(slider, x_of(slider, 20), x_of(slider, 60))
    click(window.plots.strip.keep)
    assert session.document.scene.frames["written"].motion.form == "keyframes"
    session.scrub(0.0)
    continuous, fields, _ = shown(wiring, "written")
    np.testing.assert_allclose(fields, continuous, atol=1e-9)
    assert fields[1] == pytest.approx(20.0, abs=1e-6)  # where the hand began
    np.testing.assert_allclose(in_plot(wiring, 2, 0.0), fields, atol=1e-6)


def test_that_a_drag_that_is_taken_back_leaves_the_quaternion_as_it_was(wiring) -> None:
    session, window = wiring.session, wiring.window
    session.scrub(1.0)
    before = shown(wiring, "quat")
    slider = window.inspector.orientation.rows[2].slider
    drag(slider, x_of(slider, before[1][2]), x_of(slider, -150.0))
    assert not np.allclose(shown(wiring, "quat")[2], before[2])
    strike_in(wiring, Key.Key_Z, CTRL)
    for a, b in zip(before, shown(wiring, "quat"), strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_allclose(in_plot(wiring, 3, 1.0), before[2], atol=1e-12)
    type_in(window.inspector.orientation.rows[2].field, "200")
    strike(window, Key.Key_Escape)
    continuous, fields, Q = shown(wiring, "quat")
    np.testing.assert_allclose(fields, continuous, atol=1e-9)
    np.testing.assert_allclose(in_plot(wiring, 3, 1.0), Q, atol=1e-12)
