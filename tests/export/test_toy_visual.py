"""A visual in one file and one line of the registry: drawn, picked, exported, and made anew by its look key."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pygltflib
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.app.exporters.registry import export
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.ui.scene_view import visual_registry
from framescope.ui.scene_view.base.animated_nodes import MeshItems, NodeSource
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.scene_options import SceneOption, nothing
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import BARE, ViewContext, Visual
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.instanced_mesh import LinearMesh, colors_of, place
from framescope.ui.scene_view.geometry.lathe_meshes import sphere
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme.tokens import DARK
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
parameters: {depth: 1.0}
frames: {part: {parent: world, position: {value: ["0.2*t", 0, 0], unit: m}}}
view: {triads: false, labels: false, links: false, grid: 1 m}
"""

HEIGHT = SceneOption[float](0.3, nothing)


class Buoys(Visual):
    """A ball above the frame ``part``, as high as an option says."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._row = context.plan.index["part"]
        self.mesh = LinearMesh(place(sphere(1.0, 0.0, 16), 0), colors_of(["#FF00FF"]))
        self.mesh.axes[:] = np.eye(3)[:, None]
        self.mesh.sizes[:] = 0.1
        self.scene_actors.append(actors.surface(self.mesh.polydata))

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        return tuple(plan.scene.parameters)

    def show(self, tick: Tick) -> None:
        self._p_WF = tick.snapshot.p_WF[self._row].copy()
        self._move()

    def apply_option(self, option: SceneOption) -> None:
        if option is HEIGHT:
            self._move()

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        yield from ray.on_mark(("points", "buoy"), self.mesh.stations[0, 0])

    def nodes(self) -> Iterator[NodeSource]:
        yield MeshItems(self.mesh, ["buoy"])

    def _move(self) -> None:
        self.mesh.stations[0, 0] = np.add(self._p_WF, (0.0, 0.0, self.context.options[HEIGHT]))
        self.mesh.is_shown[:] = True
        self.mesh.update()


@pytest.fixture(autouse=True)
def buoys(monkeypatch) -> None:
    """Name the visual in the registry: the one line."""
    monkeypatch.setattr(visual_registry, "VISUALS", (*visual_registry.VISUALS, Buoys))


@pytest.fixture
def drawn():
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(320, 240)
    renderer = SceneRenderer(DARK, decorations=BARE)
    renderer.layers.attach(window)
    renderer.set_camera(CameraState((0.0, -3.0, 0.4), (0.0, 0.0, 0.4)))
    plan = compile_plan(scene_of(SCENE))
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, 1.0))
    yield renderer, window
    renderer.detach()
    window.Finalize()


def middle_of_ball(renderer: SceneRenderer, window: vtkRenderWindow) -> np.ndarray:
    """Render, and return the middle of what is magenta, in pixels."""
    renderer.prepare()
    window.Render()
    pixels = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, 319, 239, 0, pixels, 0)
    r, g, b = np.moveaxis(vtk_to_numpy(pixels).reshape(240, 320, 3).astype(int), -1, 0)
    y, x = np.nonzero((r > 2 * g + 40) & (b > 2 * g + 40))
    assert len(x) > 50
    return np.array([x.mean(), y.mean()])


def test_that_it_is_drawn_and_picked_and_follows_its_feature(drawn) -> None:
    renderer, window = drawn
    visuals = renderer.visuals
    for height in (0.3, 0.6):
        renderer.set_option(HEIGHT, height)
        x, y = middle_of_ball(renderer, window)
        at = renderer.projection().project(np.array([0.2, 0.0, height]))
        np.testing.assert_allclose((x, y), at[:2], atol=2.0)
        assert ("points", "buoy") in [hit.key for hit in renderer.hits(x, y)]
        assert ("points", "buoy") not in [hit.key for hit in renderer.hits(x, y - 25.0)]
    assert renderer.visuals is visuals


def test_that_its_look_key_alone_has_it_made_anew(drawn) -> None:
    renderer, _ = drawn
    visuals = renderer.visuals
    renderer.set_plan(compile_plan(scene_of(SCENE.replace("depth: 1.0", "depth: 2.0").replace("0.2*t", "0.3*t"))))
    assert renderer.visuals is visuals
    renderer.set_plan(compile_plan(scene_of(SCENE.replace("depth: 1.0", "width: 1.0"))))
    assert renderer.visuals is not visuals


def test_that_a_model_has_it(tmp_path) -> None:
    scene = scene_of(SCENE)
    export(scene, compile_plan(scene), tmp_path / "model.glb", start=0.0, stop=2.0)
    nodes = pygltflib.GLTF2().load(str(tmp_path / "model.glb")).nodes
    assert [node.mesh is not None for node in nodes if node.name == "buoy"] == [True]
