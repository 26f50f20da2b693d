"""Scenes of bags: where frames are is what the buffer of tf answers, whatever is wrong with the bag."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import are_known, relation, relative_orientations, relative_position
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.recordings.tf_buffer import TfLookUpError
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.stamps import NS
from framescope.core.snapshot import moments
from framescope.features.bags.core.bag_scene import Source, scene_of
from framescope.features.bags.core.kept_transforms import transforms_of
from framescope.features.bags.core.tf_path import first_stamp_ns
from framescope.features.bags.core.tf_tracks import GAP_NS, Tracks
from tests.support import planted_bags
from tests.support.bag_scenes import buffer_of, scene_plan
from tests.support.bags import START_NS, Sent, drive, write_ros1, write_ros2


def misses(tracks: Tracks, plan: Plan, random: np.random.Generator, n: int = 150) -> tuple[int, int]:
    """Compare poses at random times with the answers of the buffer; return how many agree, and how many are holes."""
    buffer, zero = buffer_of(tracks), first_stamp_ns(tracks)
    names = np.array(tracks.names)[tracks.child]
    top = tracks.log.stamp_ns[(tracks.refused == 0) & (names == "odom")]  # without it nothing stands in the world
    stamps = np.unique(tracks.log.stamp_ns[(tracks.refused == 0) & ~tracks.log.is_static])
    stamps = stamps[(stamps >= top.min()) & (stamps <= top.max())]
    asked = [int(s) for s in random.choice(stamps, n)]  # at samples, and between them
    asked += (stamps[0] + random.integers(0, int(stamps[-1] - stamps[0]), n)).tolist()
    snapshot = evaluate(plan, (np.array(asked) - zero) / NS)
    at, agreed, holes = list(moments(snapshot)), 0, 0
    failed: list[tuple[str, bool]] = []
    for k, stamp in enumerate(asked):
        frames = [name for name in buffer.frames if name in snapshot.index]
        target, source = random.choice(frames, 2, replace=False)
        moment = at[k]
        here = relative_position(moment, source, target, target)
        R_WA, R_WB = relative_orientations(moment, source, target)
        is_posed = bool(are_known(moment, source, target))
        try:
            position, (x, y, z, w) = buffer.look_up(target, source, stamp)
        except TfLookUpError as error:
            failed.append((error.kind, is_posed))
            continue
        if not is_posed:  # a gap, across which the buffer interpolates
            holes += 1
            continue
        assert np.allclose(here, position, atol=1e-8), f"{source} in {target} at {stamp}"
        turned = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        assert np.allclose(R_WA.T @ R_WB, turned, atol=1e-8)
        agreed += 1
    assert not any(is_posed for _, is_posed in failed)
    return agreed, holes


def test_that_frames_of_a_healthy_drive_are_where_the_buffer_has_them(tmp_path: Path) -> None:
    write_ros1(tmp_path / "drive.bag", drive())
    tracks, plan = scene_plan(tmp_path / "drive.bag")

    assert plan.problems == ()
    assert misses(tracks, plan, np.random.default_rng(1)) == (300, 0)
    assert plan.end == pytest.approx(19.95)
    assert plan.scene.frames["camera"].parent == "base_link"
    assert [trail.frame for trail in plan.scene.view.trails] == ["base_link"]


@pytest.mark.long
@pytest.mark.parametrize(
    "fault",
    [
        planted_bags.two_parents,
        planted_bags.static_two_parents,
        planted_bags.static_and_moving,
        planted_bags.apart,
        planted_bags.slash,
        planted_bags.static_changed,
        planted_bags.repeated,
        planted_bags.backward,
        planted_bags.not_finite,
        planted_bags.not_unit,
        planted_bags.own_parent,
        planted_bags.no_name,
        planted_bags.outlier,
        planted_bags.gap,
        planted_bags.silence,
    ],
)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_that_frames_of_a_faulty_drive_are_where_the_buffer_has_them(tmp_path: Path, fault, seed: int) -> None:
    random = np.random.default_rng(seed)
    write_ros1(tmp_path / "drive.bag", fault(random, planted_bags.healthy(random)).sent)
    tracks, plan = scene_plan(tmp_path / "drive.bag")
    agreed, holes = misses(tracks, plan, random)

    assert not any(problem.severity == "red" for problem in plan.problems)
    assert agreed > 100
    assert not holes or fault is planted_bags.gap or fault is planted_bags.not_finite or fault is planted_bags.not_unit


def test_that_what_is_its_own_ancestor_at_some_time_is_left_out(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    write_ros1(tmp_path / "drive.bag", planted_bags.loop(random, planted_bags.healthy(random)).sent)
    _, plan = scene_plan(tmp_path / "drive.bag")

    assert not any(problem.severity == "red" for problem in plan.problems)
    assert evaluate(plan, 5.0).is_posed.all()


@pytest.mark.parametrize("name", [name for name in planted_bags.FAULTS if name != "loop"])
def test_that_a_fault_is_a_problem_of_its_frame_and_its_mend_takes_it_away(tmp_path: Path, name: str) -> None:
    random = np.random.default_rng(5)
    planted = planted_bags.FAULTS[name](random, planted_bags.healthy(random))
    write_ros1(tmp_path / "drive.bag", planted.sent)
    _, plan = scene_plan(tmp_path / "drive.bag")
    found = [each for each in diagnose(plan) if each.severity != "note" or each.kind.startswith("tf ")]

    assert [each.kind for each in found] == [f"tf {planted.kind}"]
    assert found[0].name == planted.frame or planted.frame not in plan.index
    assert found[0].times
    assert plan.start - 2.0 <= found[0].times[0] <= plan.end + 2.0 or planted.kind in ("future stamp", "clock jump")
    if found[0].fix is not None:
        mended = compile_plan(found[0].fix.change.apply(plan.scene), tmp_path)
        left = [each for each in diagnose(mended) if each.kind != "tf clock jump"]  # another run has that, too
        assert not any(each.kind.startswith("tf ") or each.severity == "red" for each in left)


def test_that_a_healthy_bag_has_no_problems(tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    write_ros1(tmp_path / "drive.bag", planted_bags.healthy(random))
    assert not [each for each in diagnose(scene_plan(tmp_path / "drive.bag")[1]) if each.kind.startswith("tf ")]


def handed_over() -> list[Sent]:
    """A cup that stands on the map, is taken by the base at 8 s, and put down at 12 s."""
    sent = drive(hz=10)
    for i in range(200):
        t = i / 10
        parent = "base_link" if 8.0 <= t < 12.0 else "map"
        sent.append(Sent(sent[0].stamp_ns + round(t * NS), parent, "cup", (t, 0, 0), (0, 0, 0, 1)))
    return sent


def test_that_a_frame_hangs_on_the_parent_of_its_samples_and_holds_until_the_next(tmp_path: Path) -> None:
    write_ros1(tmp_path / "drive.bag", handed_over())
    tracks, plan = scene_plan(tmp_path / "drive.bag")
    cup = plan.index["cup"]

    assert [plan.names[plan.tree.parents_at(t)[cup]] for t in (0.0, 7.99, 8.0, 11.99, 12.0)] == [
        "map", "map", "base_link", "base_link", "map",
    ]  # fmt: skip
    assert plan.scene.frames["cup"].parent == "map"
    assert evaluate(plan, 7.95).p_WF[cup] == pytest.approx([7.9, 0, 0])  # held, though the next is elsewhere
    assert misses(tracks, plan, np.random.default_rng(2))[0] > 200


def test_that_samples_in_parents_that_are_not_named_are_left_out(tmp_path: Path) -> None:
    write_ros1(tmp_path / "drive.bag", handed_over())
    tracks = transforms_of(tmp_path / "drive.bag").tracks("")
    scene, _ = scene_of([Source(tracks)], "drive.bag")

    motion = scene.frames["cup"].motion
    alone = motion.model_copy(update={"parents": motion.parents[:1]})
    plan = compile_plan(
        scene.model_copy(
            update={"frames": scene.frames | {"cup": scene.frames["cup"].model_copy(update={"motion": alone})}}
        ),
        tmp_path,
    )
    assert not plan.tree.switches
    assert not evaluate(plan, 10.0).is_posed[plan.index["cup"]]  # a gap of four seconds


def test_that_a_gap_is_a_hole_and_what_is_held_in_it_has_an_age(tmp_path: Path) -> None:
    sent = [each for each in drive(hz=10) if each.child != "base_link" or not 5e9 < each.stamp_ns - START_NS < 9e9]
    write_ros1(tmp_path / "drive.bag", sent)
    _, plan = scene_plan(tmp_path / "drive.bag")
    base = plan.index["base_link"]
    motion = plan.tree.motions[base]
    T, p, age = motion.held(np.array([-1.0, 4.0, 7.0, 30.0]))

    assert GAP_NS == NS
    assert motion.known.round(6).tolist() == [[0.0, 5.0], [9.0, 19.9]]
    assert evaluate(plan, np.array([4.99, 7.0, 9.0])).is_posed[:, base].tolist() == [True, False, True]
    assert np.isnan(age[0])
    assert age[1:].round(6).tolist() == [0.0, 2.0, 10.1]
    assert p[2] == pytest.approx(
        evaluate(plan, 5.0).p_WF[base] - evaluate(plan, 5.0).p_WF[plan.index["odom"]], abs=1e-9
    )
    assert T.shape == (4, 3, 3)


def test_that_what_cannot_be_read_is_a_problem_of_the_frame(tmp_path: Path) -> None:
    write_ros2(tmp_path / "drive", drive(seconds=2))
    head = "framescope: 1\nframes:\n  base: {parent: world, motion: {form: transforms, "
    said = {
        "file: gone.bag, frame: base_link": "there is no file",
        "file: drive/metadata.yaml, frame: base": "no transform of a frame base",
        "file: drive/metadata.yaml, frame: base_link, namespace: /robot": "in the namespace /robot",
        "file: drive/metadata.yaml, frame: base_link, topic: /odom": "on /odom",
        "file: drive/metadata.yaml, frame: base_link, parents: [{name: odom, frame: odm}]": 'no frame "odm"',
        "file: drive/metadata.yaml, frame: base_link, parents: [{name: map, frame: world}]": "all samples of base_link",
    }
    for keys, words in said.items():
        scene, _ = parse_scene(f"{head}{keys}}}}}\n", "scene.yaml")
        problems = compile_plan(scene, tmp_path).problems
        assert len(problems) == 1
        assert words in problems[0].message
        assert problems[0].hint
    (tmp_path / "no.bag").write_bytes(b"#ROSBAG V2.0\nnothing")
    scene, _ = parse_scene(f"{head}file: no.bag, frame: a}}}}\n", "scene.yaml")
    assert "no.bag" in str(compile_plan(scene, tmp_path).problems[0])


def test_that_frames_are_known_relative_to_each_other_where_the_world_is_not(tmp_path: Path) -> None:
    """A localization that ends takes the world away, and nothing else: as look-ups below it are still answered."""
    sent = [each for each in drive() if each.child != "odom" or each.stamp_ns - START_NS < 10 * NS]
    write_ros1(tmp_path / "drive.bag", sent)
    tracks, plan = scene_plan(tmp_path / "drive.bag")
    buffer, zero = buffer_of(tracks), first_stamp_ns(tracks)
    times = np.array([5.01, 15.03])
    snapshot = evaluate(plan, times)
    found = relation(snapshot, "wheel_left", "odom", "odom")
    moved = evaluate(plan, times + 1e-4), evaluate(plan, times - 1e-4)

    assert snapshot.is_posed[:, plan.index["wheel_left"]].tolist() == [True, False]
    for k, t in enumerate(times.tolist()):
        expected, _ = buffer.look_up("odom", "wheel_left", zero + round(t * NS))
        assert found.p[k] == pytest.approx(expected, abs=1e-8)
    step = [relation(each, "wheel_left", "odom", "odom").p for each in moved]
    assert found.V[:, 3:] == pytest.approx((step[0] - step[1]) / 2e-4, abs=1e-5)
    angles = parse_signal("angles of wheel_left relative to base_link by ZYX in deg", plan.scene)
    assert np.isfinite(plot_curves(plan, angles, times)).all()
    assert np.isnan(relation(snapshot, "wheel_left", "map", "map").p[1]).all()
    assert np.isfinite(relation(evaluate(plan, 15.03), "camera", "base_link", "camera").R.T).all()
    one, *_ = moments(evaluate(plan, times[1:]))
    assert relation(one, "wheel_left", "odom", "odom").p == pytest.approx(found.p[1], abs=1e-12)
