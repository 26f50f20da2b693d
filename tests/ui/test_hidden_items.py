"""What is hidden is neither drawn nor found by the pointer; the rest is."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits.items import set_hidden
from framescope.core.scene.schema.model import ITEM_KINDS
from framescope.core.scene.schema.references import keys_of
from framescope.ui.scene_view.base.pick_ray import PickRay
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visual_registry import looks_alike
from framescope.ui.scene_view.visuals.notes import Notes
from framescope.ui.theme.tokens import DARK
from tests.support.grown_scenes import PLATE
from tests.support.scenes import scene_of

SCENE = scene_of(
    PLATE.replace("get_w: true,", "get_w: true, arrows: {w: 1 m per rad/s},")
    + "notes:\n  first: {text: A note, at: [0.1, 0.9]}\n"
)


def found(scene) -> set:
    """Return all items under any pixel of a coarse raster."""
    plan = compile_plan(scene)
    tick = Tick(evaluate(plan, 0.3), plan, {})
    camera = CameraState(position=(2.0, -2.0, 1.2), focal_point=(0.0, 0.0, 0.4), up=(0.0, 0.0, 1.0))
    projection = Projection(camera, 400, 300, 1.0)
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)
    renderer.show(tick.snapshot)
    for step in ("occupy", "place"):
        for visual in renderer.visuals:
            if isinstance(visual, Notes):
                getattr(visual, step)(projection)
    places = [(x, y) for x in range(0, 400, 16) for y in range(0, 300, 16)]
    rays = [PickRay(tick, projection, x, y) for x, y in places]
    return {hit.key for ray in rays for visual in renderer.visuals for hit in visual.pick(ray)}


def test_that_every_kind_is_found_until_it_is_hidden() -> None:
    every = found(SCENE)
    assert {kind for kind, _ in every} == set(ITEM_KINDS)
    keys = [("frames", "world"), *keys_of(SCENE)]
    assert found(set_hidden(SCENE, keys, True).apply(SCENE)) == set()


@pytest.mark.long
@pytest.mark.parametrize("kind", ITEM_KINDS)
def test_that_only_what_is_hidden_is_gone(kind) -> None:
    keys = [key for key in keys_of(SCENE) if key[0] == kind]
    left = found(set_hidden(SCENE, keys, True).apply(SCENE))
    assert left.isdisjoint(keys)
    assert {of for of, _ in left} >= set(ITEM_KINDS) - {kind}


def test_that_hiding_changes_what_is_drawn_and_no_pose() -> None:
    before, after = (compile_plan(s) for s in (SCENE, set_hidden(SCENE, [("points", "A")], True).apply(SCENE)))
    assert not looks_alike(before, after)
    np.testing.assert_array_equal(evaluate(before, 0.5).p_WF, evaluate(after, 0.5).p_WF)
