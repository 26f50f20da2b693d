"""Recordings whose clock jumps back: each run by itself, as in a tf2 that is cleared at a new start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.recordings.tf_buffer import TF2_CACHE_S, TfBuffer, TfLookUpError
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.motions import Transforms
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.clock_jumps import runs_of
from framescope.features.bags.core.tf_log import insert_row
from tests.support.bag_scenes import scene_plan
from tests.support.bags import START_NS, Sent, drive, write_ros1


def restarted(back_s: float) -> list[Sent]:
    """A drive of 20 s, and one of 10 s whose stamps begin so much before the first one's end, sideways of it."""
    sent = drive()
    end = max(each.stamp_ns for each in sent)
    begin = end - round(back_s * NS) + 7_000_000  # between the stamps of the first
    for each in drive():
        after = each.stamp_ns - START_NS
        if after < 10 * NS and not each.is_static:
            place = np.add(each.position, (0.0, 50.0 * (each.child == "base_link"), 0.0))
            sent.append(replace(each, stamp_ns=begin + after, log_ns=end + NS // 20 + after, position=tuple(place)))
    return sent


@pytest.mark.parametrize("back_s", [4.0, 15.0, 500.0])
def test_that_a_recording_whose_clock_jumps_back_is_shown_run_by_run(tmp_path: Path, back_s: float) -> None:
    write_ros1(tmp_path / "drive.bag", restarted(back_s))
    tracks, plan = scene_plan(tmp_path / "drive.bag")
    assert len(runs_of(tracks)) == 2
    assert (plan.start, plan.end) == pytest.approx((0.0, 19.95))
    at = np.linspace(plan.start, plan.end, 50)
    assert (relation(evaluate(plan, at), "base_link", "odom", "odom").p[:, 1] < 25.0).all()  # of the first run alone

    found = [each for each in diagnose(plan) if each.kind == "tf clock jump"]
    assert len(found) == 1
    assert found[0].fix is not None
    assert "run 1" in found[0].message
    other = compile_plan(found[0].fix.change.apply(plan.scene), tmp_path)
    assert other.problems == ()
    assert (other.start, other.end) == pytest.approx((0.0, 9.95))
    at = np.linspace(other.start, other.end, 50)
    assert (relation(evaluate(other, at), "base_link", "odom", "odom").p[:, 1] > 25.0).all()
    assert evaluate(other, 5.0).is_posed.all()  # what is static was sent before
    again, _ = parse_scene(scene_text(other.scene), "scene.yaml")
    assert again == other.scene

    back = [each for each in diagnose(other) if each.kind == "tf clock jump"]
    assert back[0].fix is not None
    assert compile_plan(back[0].fix.change.apply(other.scene), tmp_path).end == pytest.approx(19.95)


def unbounded(motion: Transforms) -> Transforms:
    return Transforms.model_validate(motion.model_dump(exclude_unset=True, exclude={"received_until"}))


def test_that_a_scene_ends_with_what_is_left_of_it(tmp_path: Path) -> None:
    """A scene that takes both runs, as a person may write it."""
    write_ros1(tmp_path / "drive.bag", restarted(4.0))
    _, plan = scene_plan(tmp_path / "drive.bag")
    frames = {
        name: frame if frame.motion is None else frame.model_copy(update={"motion": unbounded(frame.motion)})
        for name, frame in plan.scene.frames.items()
    }
    time = plan.scene.time.model_copy(update={"end": Quantity(60.0, "s")})
    both = compile_plan(plan.scene.model_copy(update={"frames": FrozenDict(frames), "time": time}), tmp_path)
    found = next(each for each in diagnose(both) if each.kind == "tf clock jump")
    assert "its answers for 4.04 s are from a mixture of both runs" in found.message
    assert len(found.times) > 50  # where both are mixed, not the jump alone
    assert found.fix is not None
    assert compile_plan(found.fix.change.apply(both.scene), tmp_path).end == pytest.approx(19.95)


@pytest.mark.parametrize(
    ("back_s", "said"),
    [
        (4.0, "tf2 accepts the later samples, and its answers for 4"),
        (14.0, "tf2 drops samples more than 10 s older than its newest"),
        (500.0, "more than 10 s older than the newest sample of tf2. tf2 drops them until its buffer is cleared"),
    ],
)
def test_what_tf2_makes_of_a_jump_back_depends_on_its_cache(tmp_path: Path, back_s: float, said: str) -> None:
    write_ros1(tmp_path / "drive.bag", restarted(back_s))
    tracks, _ = scene_plan(tmp_path / "drive.bag")
    fault = next(each for each in examine(tracks.log) if each.kind == "clock jump")
    assert said in fault.cause
    buffer = TfBuffer(TF2_CACHE_S)
    for i in range(len(tracks.log)):
        insert_row(buffer, tracks.log, i)
    begin = START_NS + round((19.957 - back_s) * NS)
    if back_s > 20.0:
        with pytest.raises(TfLookUpError):
            buffer.look_up("odom", "base_link", begin + NS)
    else:
        at = begin + (5 if back_s > 5.0 else 2) * NS
        # At a sample of the second run that is not older than the cache, and at one of the first
        position, _ = buffer.look_up("odom", "base_link", at)
        assert position[1] > 25.0
        position, _ = buffer.look_up("odom", "base_link", at - 7_000_000)
        assert position[1] < 25.0
