"""Names that a step may light, against the lines that the picture can light."""

from __future__ import annotations

import pytest

from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.features.lessons.core.lights import frame_of_light, light_problem, lights_of
from framescope.ui.scene_view.visuals.force_arrows import force_vectors_of
from framescope.ui.scene_view.visuals.lit_line import LitLine, lines_of
from tests.support.visuals import built, tick_of


@pytest.mark.parametrize("name", ["demo", "gimbal-lock", "three-springs", "aircraft"])
def test_that_every_line_of_a_picture_may_be_lit_by_its_name(name) -> None:
    plan = compile_plan(load_scene(example_path(name)).scene)
    context = built(LitLine, plan).context
    names = [line.name for line in lines_of(tick_of(plan), context, force_vectors_of(context))]
    assert len(names) > 3
    assert [light for light in names if light_problem(light, plan) is not None] == []
    assert len(names) == len(set(names))


def test_that_a_light_is_at_the_frame_of_its_item() -> None:
    scene = load_scene(example_path("three-springs")).scene
    assert frame_of_light("F of A", scene) == "plate"
    assert frame_of_light("M of plate", scene) == "plate"
    assert frame_of_light("z of small-angle plate", scene) == "small-angle plate"
    assert frame_of_light("z of nothing", scene) == ""
    demo = load_scene(example_path("demo")).scene
    assert frame_of_light("ω of gyro", demo) in demo.frames
    assert all(frame_of_light(light, demo) for light in lights_of(compile_plan(demo)) if not light.endswith("world"))
