"""The fixes of a camera say what they will do, so that one can choose."""

from __future__ import annotations

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan
from tests.support.scenes import scene_of

SCENE = """
framescope: 1
frames:
  base_link: {parent: world}
  camera_link: {parent: base_link, orientation: {form: axes, sequence: ZYX, angles: [0, 0, 0], unit: deg}}
  camera_optical_frame: {parent: camera_link, orientation: {form: axes, sequence: ZYX, angles: [0, 90, 90], unit: deg}}
"""


def test_that_each_fix_of_a_camera_says_where_the_camera_will_look() -> None:
    (problem,) = (each for each in diagnose(compile_plan(scene_of(SCENE))) if each.fixes)
    assert {fix.text: fix.effect for fix in problem.fixes} == {
        "Make optical": "It turns to look along +x of camera_link (forward), and image up becomes +z (up).",
        "Turn upright": "It keeps looking along −y of camera_link (right), and image up becomes +z (up).",
    }
