"""GLB files read back by trimesh: the tree, the shapes, and poses at sampled times."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
import pygltflib
import pytest
import trimesh

from framescope.app.exporters.errors import ExportCancelledError
from framescope.app.exporters.registry import export
from framescope.app.exporters.scene_graph.glb import Z_UP
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.scene.files.loading import load_scene
from tests.support import gltf_reader
from tests.support.examples import example
from tests.support.scenes import GOOD

pytestmark = pytest.mark.window


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Give the plan of an example and the path of a part of it, which is exported once."""

    @cache
    def of(name: str, start: float, stop: float):
        scene, plan, _ = example(name)
        path = tmp_path_factory.mktemp("glb") / f"{name}.glb"
        export(scene, plan, path, start=start, stop=stop)
        return plan, path

    return of


def poses_by_trimesh(path, t: float) -> dict[str, np.ndarray]:
    """Return the pose of each named node in the scene's world, z up, t s after the start: the foreign reader's."""
    file = gltf_reader.opened(path)
    gltf_reader.set_to(file, t)
    read = trimesh.load_scene(io.BytesIO(b"".join(file.save_to_bytes())), file_type="glb")
    to_z_up = trimesh.transformations.quaternion_matrix([Z_UP[3], *Z_UP[:3]]).T
    return {name: to_z_up @ read.graph.get(name)[0] for name in read.graph.nodes}


@pytest.mark.parametrize("name", ["demo", "robot-arm", "pendulum"])
def test_that_a_foreign_reader_finds_every_frame_where_the_core_has_it(exported, name) -> None:
    plan, path = exported(name, 0.5, 2.0)
    for t in (0.0, 0.7123, 1.4871):
        snapshot = evaluate(plan, 0.5 + t)
        found = poses_by_trimesh(path, t)
        for frame in plan.names[1:]:
            row = plan.index[frame]
            np.testing.assert_allclose(found[frame][:3, 3], snapshot.p_WF[row], atol=2e-4)
            np.testing.assert_allclose(found[frame][:3, :3], nearest_rotation(snapshot.R_WF[row])[0], atol=1e-4)


def test_that_an_arrow_reaches_from_its_foot_by_what_is_measured(exported) -> None:
    plan, path = exported("demo", 0.5, 2.0)
    found = poses_by_trimesh(path, 0.8)
    arrow = evaluate(plan, 1.3).arrows["speed"]["v"]
    scale = plan.instruments.sensors["speed"].arrows["v"]
    head, shaft = found["speed v, part 2"], found["speed v, part 3"]
    np.testing.assert_allclose(shaft[:3, 3], arrow.p_W, atol=2e-3)
    along = scale * arrow.vector_W
    np.testing.assert_allclose(np.cross(shaft[:3, 2], along), 0.0, atol=2e-3)
    # The head stands where the shaft ends, and both together are as long as the vector.
    np.testing.assert_allclose(shaft[:3, 3] + shaft[:3, 2], head[:3, 3], atol=2e-3)
    assert np.linalg.norm(shaft[:3, 2]) < np.linalg.norm(along)


def test_that_shapes_are_those_of_the_scene_and_shared(exported) -> None:
    plan, path = exported("demo", 0.5, 2.0)
    file = pygltflib.GLTF2().load(str(path))
    at = {node.name: node for node in file.nodes}
    assert {body.name for body in plan.view_data.bodies} <= at.keys()
    assert at["axes of camera"].mesh == at["axes of rotor"].mesh
    children = {file.nodes[k].name for k in at["rotor"].children}
    assert {"disc", "axes of rotor"} <= children
    read = trimesh.load_scene(path)
    height = next(g for name, g in read.geometry.items() if name.startswith("disc")).extents[2]
    disc = next(body for body in plan.view_data.bodies if body.name == "disc")
    assert height == pytest.approx(disc.size["height"], rel=1e-5)


def test_that_what_stands_still_has_no_channel_and_what_vanishes_steps(exported, tmp_path) -> None:
    _, path = exported("demo", 0.5, 2.0)
    file = pygltflib.GLTF2().load(str(path))
    names = {file.nodes[node].name for node, *_ in gltf_reader.channels(file)}
    assert not names & {"stand", "foot", "axes of world", "view"}
    assert {"inner ring", "camera", "speed v, part 1"} <= names
    times = [times for *_, times, _ in gltf_reader.channels(file)]
    assert all((t[0], t[-1]) == (0.0, 1.5) and (np.diff(t) > 0).all() for t in times)
    assert len({len(t) for t in times}) > 3  # each has as many as it needs
    text = GOOD.replace("title: Test", "title: Test\ntime: {start: 0 s, end: 1 s}")
    source = tmp_path / "still.yaml"
    source.write_text(text)
    scene = load_scene(source).scene
    bare = tmp_path / "still.glb"
    export(scene, compile_plan(scene, tmp_path), bare)
    assert pygltflib.GLTF2().load(str(bare)).nodes[0].name == "Test"


def test_that_the_camera_looks_as_in_the_window(exported) -> None:
    plan, path = exported("demo", 0.5, 2.0)
    file = pygltflib.GLTF2().load(str(path))
    node = next(node for node in file.nodes if node.name == "view")
    assert file.cameras[node.camera].perspective.yfov == pytest.approx(plan.view_data.camera.view_angle)
    staged = plan.view_data.camera
    np.testing.assert_allclose(node.translation, staged.position, atol=1e-5)
    ahead = staged.focal_point - staged.position
    x, y, z, w = node.rotation
    backward = trimesh.transformations.quaternion_matrix([w, x, y, z])[:3, 2]
    np.testing.assert_allclose(-backward, ahead / np.linalg.norm(ahead), atol=1e-6)


def test_that_the_same_scene_gives_the_same_file_and_a_cancelled_one_leaves_none(tmp_path) -> None:
    scene, plan, _ = example("keyframes")
    path, made = tmp_path / "keyframes.glb", []
    for _ in range(2):
        export(scene, plan, path, start=0.0, stop=0.5)
        made.append(path.read_bytes())
        path.unlink()
    assert made[0] == made[1]
    with pytest.raises(ExportCancelledError):
        export(scene, plan, path, is_cancelled=lambda: True)
    assert not list(tmp_path.glob("*.glb"))
