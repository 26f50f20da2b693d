"""Trees that never meet: no number between them, as tf2 has none, whoever asks for it; each is drawn all the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.recordings.tf_buffer import TfLookUpError
from framescope.core.scene.edits.pose import shift_frame
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.stamps import NS
from tests.support.bag_scenes import buffer_of, scene_plan
from tests.support.bags import START_NS, Sent, two_robots, write_ros1

NO_TURN = (0.0, 0.0, 0.0, 1.0)
SIGNALS = (
    "position of {} relative to {} resolved in world in m",
    "position of {} relative to {} resolved in b/base in m",
    "velocity of {} relative to {} resolved in b/base in m/s",
    "acceleration of {} relative to {} resolved in b/base in m/s²",
    "angular velocity of {} relative to {} resolved in base_link in rad/s",
    "position of {} relative to {} resolved in b/base through odom 0.2 s before in m",
    "angles of {} relative to {} by ZYX in deg",
    "angle rates of {} relative to {} by ZYX in deg/s",
    "quaternion of {} relative to {}",
    "rotation angle of {} relative to {} in deg",
    "angle between axes of {} relative to {} in deg",
    "range rate of {} relative to {} in m/s",
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    write_ros1(tmp_path / "robots.bag", two_robots())
    return scene_plan(tmp_path / "robots.bag")[1]


@pytest.mark.parametrize(
    "pair", [("b/base", "base_link"), ("base_link", "b/odom"), ("b/laser", WORLD), ("b/odom", WORLD)]
)
def test_that_there_is_no_number_between_two_trees(plan: Plan, pair: tuple[str, str]) -> None:
    of, relative_to = pair
    found = relation(evaluate(plan, 3.0), of, relative_to, relative_to)
    assert all(np.isnan(each).all() for each in (found.p, found.R.T, found.V, found.A))

    times = np.linspace(plan.start, plan.end, 20)
    for words in SIGNALS:
        signal = parse_signal(words.format(of, relative_to), plan.scene)
        assert np.isnan(plot_curves(plan, signal, times)).all(), words


def test_that_frames_of_one_tree_are_known_as_the_buffer_answers(tmp_path: Path) -> None:
    write_ros1(tmp_path / "robots.bag", two_robots())
    tracks, plan = scene_plan(tmp_path / "robots.bag")
    buffer = buffer_of(tracks)
    for target, source in (("b/odom", "b/laser"), ("b/laser", "b/odom"), ("map", "camera")):
        position, _ = buffer.look_up(target, source, START_NS + 3 * NS)
        assert np.allclose(relation(evaluate(plan, 3.0), source, target, target).p, position, atol=1e-9)
    assert relation(evaluate(plan, 3.0), "b/laser", "b/odom", "b/odom").V[3:] == pytest.approx([0.1, 0.0, 0.0])
    with pytest.raises(TfLookUpError):
        buffer.look_up("map", "b/base", START_NS + 3 * NS)


def test_that_every_tree_is_drawn(plan: Plan) -> None:
    for t in (3.0, np.linspace(plan.start + 0.1, plan.end - 0.1, 4)):
        known = evaluate(plan, t)
        drawn = drawn_frames(plan.tree, known)
        row = plan.index["b/laser"]
        assert not known.is_posed[..., row].any()
        assert drawn.is_posed[..., row].all()
        assert drawn.p_WF[..., row, 1] == pytest.approx(1.0)
        assert drawn.v_WF[..., row, 0] == pytest.approx(0.1)
        others = known.is_posed
        assert np.array_equal(drawn.p_WF[others], known.p_WF[others])


def test_that_a_tree_is_drawn_where_it_was_put_and_known_once_that_is_taken_for_known(
    plan: Plan, tmp_path: Path
) -> None:
    moment = plan.moment("b/odom", 3.0)
    plan = compile_plan(shift_frame("b/odom", np.array([0.0, 5.0, 0.0]), moment, "Moved").apply(plan.scene), tmp_path)
    assert drawn_frames(plan.tree, evaluate(plan, 3.0)).p_WF[plan.index["b/laser"], 1] == pytest.approx(6.0)
    assert np.isnan(relation(evaluate(plan, 3.0), "b/base", WORLD, WORLD).p).all()

    found = [each for each in diagnose(plan) if each.kind == "unconnected"]
    assert [(each.name, each.severity) for each in found] == [("b/odom", "note")]
    assert found[0].fix is not None
    connected = compile_plan(found[0].fix.change.apply(plan.scene), tmp_path)
    assert relation(evaluate(connected, 3.0), "b/base", WORLD, WORLD).p == pytest.approx([2.3, 6.0, 0.0])
    assert not [each for each in diagnose(connected) if each.kind in ("unconnected", "doubled-frame")]


def test_that_roots_are_not_taken_for_one_frame_twice(tmp_path: Path) -> None:
    sent = two_robots()
    sent += [Sent(START_NS, f"{name}/odom", f"{name}/base", (0.0, 0.0, 0.0), NO_TURN, is_static=True) for name in "cd"]
    write_ros1(tmp_path / "robots.bag", sent)
    _, plan = scene_plan(tmp_path / "robots.bag")
    assert not [each for each in diagnose(plan) if each.kind == "doubled-frame"]
    assert np.isnan(relation(evaluate(plan, 3.0), "c/base", "d/base", "d/base").p).all()


def test_that_a_frame_of_authored_scenes_can_be_unconnected() -> None:
    scene, _ = parse_scene(
        """
framescope: 1
frames:
  island: {parent: world, position: {value: [1, 0, 0], unit: m}, motion: {form: unconnected}}
  hut: {parent: island, position: {value: ["t", 0, 0], unit: m}}
  boat: {parent: world}
""",
        "scene.yaml",
    )
    plan = compile_plan(scene)
    assert plan.problems == ()
    snapshot = evaluate(plan, 2.0)
    assert relation(snapshot, "hut", "island", "hut").p == pytest.approx([2.0, 0.0, 0.0])
    assert np.isnan(relation(snapshot, "hut", "boat", "boat").p).all()
    assert relation(snapshot, "boat", WORLD, WORLD).p == pytest.approx([0.0, 0.0, 0.0])
