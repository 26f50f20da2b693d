"""Bodies whose points leave motions free: told with place, and held by the mend where they hang on springs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.model import Scene

EXAMPLES = settings(max_examples=4)
KINDS = st.sampled_from(["X", "Y", "Z", "XYZ"])


def scene_of(points: list[tuple[str, list[float]]], stiffness: str = "400 N/m") -> Scene:
    """Return a block on springs at some points, held by nothing else."""
    return Scene.model_validate(
        {
            "framescope": 1,
            "time": {"start": "0 s", "end": "0.05 s"},
            "frames": {"block": {"parent": "world", "motion": {"form": "simulated", "model": "finite"}}},
            "bodies": {
                "body": {
                    "frame": "block",
                    "shape": {"form": "box", "size": [0.3, 0.2, 0.1], "unit": "m"},
                    "mass": "2 kg",
                    "inertia": "uniform",
                }
            },
            "points": {
                f"P{i}": {"body": "body", "kind": kind, "offset": {"value": at, "unit": "m"}}
                for i, (kind, at) in enumerate(points)
            },
            "elements": {
                f"spring {i}": {"form": "spring", "point": f"P{i}", "stiffness": stiffness} for i in range(len(points))
            },
        }
    )


def free_motions(scene: Scene) -> list[Problem]:
    return [one for one in diagnose(compile_plan(scene)) if one.kind == "free-motion"]


@st.composite
def places(draw, n: int) -> list[list[float]]:
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    return rng.uniform(-0.2, 0.2, (n, 3)).round(3).tolist()


@EXAMPLES
@given(st.data(), st.integers(1, 4))
def test_that_free_motions_are_told_and_the_mend_holds_the_body(data, n) -> None:
    at = data.draw(places(n))
    scene = scene_of([(data.draw(KINDS), place) for place in at])
    found = free_motions(scene)
    if not found:
        return  # so many points can hold it by chance
    (one,) = found
    assert (one.where, one.severity) == ("frames.block.motion", "note")
    assert "its points leave" in one.message
    mended = one.fix.change.apply(scene)
    assert free_motions(mended) == []
    assert not [problem for problem in compile_plan(mended).problems if problem.severity == "red"]
    assert not one.has_safe_fix


def test_that_the_fewest_points_change_their_kind() -> None:
    corners = [[0.1, 0.0, 0.0], [-0.1, 0.1, 0.0], [-0.1, -0.1, 0.0]]
    scene = scene_of([("XYZ", corners[0]), ("Z", corners[1]), ("XYZ", corners[2])])
    assert free_motions(scene) == []
    scene = scene_of([("XYZ", corners[0]), ("Z", corners[1]), ("Z", corners[2])])
    (one,) = free_motions(scene)
    assert one.fix_text == "P1 as XYZ"
    mended = one.fix.change.apply(scene)
    assert [point.kind for point in mended.points.values()] == ["XYZ", "XYZ", "Z"]


def test_that_springs_are_added_where_there_are_too_few_and_start_at_rest() -> None:
    scene = scene_of([("XYZ", [0.1, 0.0, 0.0])])
    (one,) = free_motions(scene)
    assert one.fix_text == "Add 2 springs"
    mended = one.fix.change.apply(scene)
    assert len(mended.points) == len(mended.elements) == 3
    assert {element.stiffness for element in mended.elements.values()} == {scene.elements["spring 0"].stiffness}
    snapshot = evaluate(compile_plan(mended), 0.05)
    np.testing.assert_allclose(snapshot.p_WF[snapshot.index["block"]], 0.0, atol=1e-12)


def test_that_a_pendulum_is_let_be() -> None:
    scene = scene_of([("XYZ", [0.0, 0.0, 0.2])])
    data = scene.model_dump(mode="json", exclude_unset=True)
    data["elements"] = {"pin": {"form": "velocity", "point": "P0", "signal": [0, 0, 0], "unit": "m/s"}}
    (one,) = free_motions(Scene.model_validate(data))
    assert one.fix is None
    assert "pendulum" in one.hint


@pytest.mark.parametrize("n", [1, 3])
def test_that_without_looking_deeper_nothing_is_tried(n) -> None:
    scene = scene_of([("Z", [0.1 * i, 0.1, 0.0]) for i in range(n)])
    (one,) = [each for each in diagnose(compile_plan(scene), deep=False) if each.kind == "free-motion"]
    assert one.fix is None
