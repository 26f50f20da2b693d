"""Rings of parents: every way up a compiled tree ends, and cutting the ring at any frame mends the scene."""

from __future__ import annotations

import pytest

from framescope.core.evaluation.drawn_frames import roots_of
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.features.causes.core.plan_variants import vary_plan
from framescope.features.robots.core.jacobian import jacobian

JOINT = {"form": "joint", "type": "revolute", "value": "t", "unit": "rad"}
RINGS = {
    "self": {"a": "a"},
    "two": {"a": "b", "b": "a"},
    "three, twice": {"a": "b", "b": "c", "c": "a", "d": "e", "e": "d"},
}


def plan_of(parents: dict[str, str]) -> Plan:
    frames = {name: {"parent": parent} for name, parent in parents.items()}
    frames |= {"low": {"parent": "a", "motion": JOINT}, "lower": {"parent": "low"}, "sound": {"parent": "world"}}
    return compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}))


def hung(scene: Scene, name: str, parent: str) -> Scene:
    frame = scene.frames[name].model_copy(update={"parent": parent})
    return scene.model_copy(update={"frames": FrozenDict({**scene.frames, name: frame})})


@pytest.mark.parametrize("name", RINGS)
def test_that_every_way_up_ends(name) -> None:
    plan = plan_of(RINGS[name])
    for row in range(len(plan.names)):
        way = [row]
        while way[-1] > 0:
            way.append(int(plan.tree.parents[way[-1]]))
            assert len(way) <= len(plan.names)
        assert roots_of(plan.tree)[row] == 0
        jacobian(plan, evaluate(plan, 0.5), plan.names[row])
    posed = evaluate(plan, 0.5).is_posed
    assert [frame for frame, here in zip(plan.names, posed, strict=True) if here] == ["world", "sound"]


@pytest.mark.parametrize("name", RINGS)
def test_that_there_is_one_problem_for_each_ring(name) -> None:
    problems = [problem for problem in plan_of(RINGS[name]).problems if problem.kind == "cycle"]
    assert len(problems) == (2 if "twice" in name else 1)


@pytest.mark.parametrize("cut", ["a", "b", "c"])
def test_that_a_ring_is_mended_by_another_parent_of_any_of_its_frames(cut) -> None:
    plan = plan_of(RINGS["three, twice"])
    scene = hung(plan.scene, cut, "world")
    for made in (vary_plan(plan, scene), compile_plan(scene)):
        posed = dict(zip(made.names, evaluate(made, 0.5).is_posed.tolist(), strict=True))
        assert all(posed[frame] for frame in ("a", "b", "c", "low", "lower"))
        assert not posed["d"]


def test_that_a_variant_with_a_ring_has_ways_up_that_end() -> None:
    plan = plan_of({"a": "world", "b": "a"})
    scene = hung(plan.scene, "a", "b")
    made = vary_plan(plan, scene)
    assert [made.tree.parents[made.index[name]] for name in ("a", "b")] == [-1, -1]
