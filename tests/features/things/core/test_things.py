"""Things to insert: axes on every kind of mount, names, places and sizes, and that nothing is wrong with them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import largest_speeds
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.new_items import insert_items, templates
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Frame, Scene
from framescope.core.scene.schema.references import item_of
from framescope.features.things.feature import FEATURE

NAMES = [insertion.name for insertion in FEATURE.insertions]

MOUNTS = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  body_flu: {parent: world, position: {value: [1, 0, 0], unit: m}}
  body_frd:
    parent: world
    position: {value: [0, 3, 1], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["10*t", 20, 180], unit: deg}
  odom_ned: {parent: world, orientation: {form: axes, sequence: ZYX, angles: [90, 0, 180], unit: deg}}
  map_enu: {parent: world, position: {value: [0, -4, 0], unit: m}}
  map_nwu: {parent: map_enu, orientation: {form: axis, axis: z, angle: 90, unit: deg}}
  arm: {parent: body_frd, position: {value: ["0.1*sin(t)", 0, 0], unit: m}}
  flange: {parent: arm, orientation: {form: axis, axis: y, angle: 30, unit: deg}}
  lens_optical: {parent: body_flu, orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg}}
  plain: {parent: flangeless, position: {value: [0, 0, 2], unit: m}}
  flangeless: {parent: world}
"""
"""A scene with mounts of each convention; `flange` is deep below a moving FRD body."""

UP = {WORLD: "FLU", "body_flu": "FLU", "map_enu": "FLU", "map_nwu": "FLU", "plain": "FLU"}
DOWN = {"body_frd": "FRD", "odom_ned": "FRD", "flange": "FRD"}
ALL_MOUNTS = [*UP, *DOWN]
LEVEL = ("map_enu", "map_nwu", "odom_ned")
BASES = ("enu", "ned", "ecef")
EQUIPMENT = ("camera", "imu", "gnss", "lidar", "wheel", "propeller", "gripper")

OPTICAL_IN_FLU = [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
OPTICAL_IN_FRD = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
FLIP = np.diag([1, -1, -1])
SWAP = [[0, 1, 0], [1, 0, 0], [0, 0, -1]]


@pytest.fixture(scope="module")
def mounts() -> Scene:
    return parse_scene(MOUNTS)[0]


def added(scene: Scene, name: str, mount: str) -> tuple[Scene, str]:
    """Insert a thing on a frame; return the scene and the name of the frame that is selected then."""
    edit = insert_items(scene, name, [("frames", mount)], partial(largest_speeds, compile_plan(scene)))
    ((kind, frame),) = edit.keys
    assert kind == "frames"
    return edit.apply(scene), frame


def rotation(scene: Scene, frame: str, relative_to: str, t: float = 0.0) -> np.ndarray:
    """Return the rotation of a frame into another."""
    snapshot = evaluate(compile_plan(scene), t)
    R_WF = {name: np.eye(3) if name == WORLD else snapshot.R_WF[snapshot.index[name]] for name in (frame, relative_to)}
    return R_WF[frame].T @ R_WF[relative_to]


def close(a, b) -> None:
    np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize("mount", ALL_MOUNTS)
@pytest.mark.parametrize("name", NAMES)
def test_that_nothing_is_wrong_with_a_thing_and_it_survives_its_file(mounts, name, mount) -> None:
    scene, frame = added(mounts, name, mount)
    assert diagnose(compile_plan(scene)) == ()
    assert scene.frames[frame].parent == (WORLD if name in BASES and mount not in LEVEL else mount)
    assert parse_scene(scene_text(scene))[0] == scene
    for kind in ITEM_KINDS:  # nothing else has changed
        assert getattr(scene, kind) | getattr(mounts, kind) == getattr(scene, kind)


@pytest.mark.parametrize("mount", ALL_MOUNTS)
def test_that_a_camera_looks_forward_and_its_image_is_upright(mounts, mount) -> None:
    scene, camera = added(mounts, "camera", mount)
    expected = OPTICAL_IN_FRD if mount in DOWN else OPTICAL_IN_FLU
    close(rotation(scene, "camera_optical", camera), expected)
    close(rotation(scene, camera, mount), np.eye(3))
    view = scene.bodies["camera_view"]
    assert view.frame == "camera_optical"
    for size, angle in ((view.shape.width, 60.0), (view.shape.height, 45.0)):
        assert np.degrees(2 * np.arctan(size.value / 2 / view.shape.depth.value)) == pytest.approx(angle, abs=0.1)
    assert view.shape.depth.value == 0.3


@pytest.mark.parametrize("mount", ALL_MOUNTS)
@pytest.mark.parametrize("name", ["imu", "gnss", "lidar"])
def test_that_equipment_has_the_axes_of_a_body_on_its_mount(mounts, name, mount) -> None:
    scene, frame = added(mounts, name, mount)
    close(rotation(scene, frame, mount), np.eye(3))


@pytest.mark.parametrize(("name", "convention"), [("body_flu", "FLU"), ("body_frd", "FRD")])
@pytest.mark.parametrize("mount", [*UP, *DOWN])
def test_that_body_frames_keep_forward(mounts, name, convention, mount) -> None:
    scene, frame = added(mounts, name, mount)
    close(rotation(scene, frame, mount), np.eye(3) if {**UP, **DOWN}[mount] == convention else FLIP)


@pytest.mark.parametrize(
    ("name", "mount", "expected"),
    [
        ("ned", WORLD, SWAP),
        ("ned", "map_enu", SWAP),
        ("ned", "odom_ned", np.eye(3)),
        ("ned", "map_nwu", FLIP),
        ("enu", WORLD, np.eye(3)),
        ("enu", "map_enu", np.eye(3)),
        ("enu", "odom_ned", SWAP),
        ("enu", "map_nwu", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    ],
)
def test_that_level_frames_keep_east_north_and_up(mounts, name, mount, expected) -> None:
    scene, frame = added(mounts, name, mount)
    close(rotation(scene, frame, mount), expected)


@pytest.mark.parametrize("mount", [WORLD, "odom_ned"])
@pytest.mark.parametrize(("latitude", "longitude"), [(48.0, 11.0), (-33.9, 151.2), (0.0, 0.0)])
def test_that_the_level_frame_on_the_earth_is_at_its_latitude_and_longitude(mounts, mount, latitude, longitude) -> None:
    scene, earth = added(mounts, "ecef", mount)
    place = scene.frames["earth_lat_lon"]
    turned = place.orientation.model_copy(update={"angles": (longitude, -latitude, 0.0)})
    frames = scene.frames | {"earth_lat_lon": place.model_copy(update={"orientation": turned})}
    scene = scene.model_copy(update={"frames": frames})
    phi, lam = np.radians([latitude, longitude])
    up = np.array([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    east = np.array([-np.sin(lam), np.cos(lam), 0.0])
    close(rotation(scene, "earth_enu", earth), [east, np.cross(up, east), up])
    snapshot = evaluate(compile_plan(scene), 0.0)
    R, p = (array[snapshot.index[earth]] for array in (snapshot.R_WF, snapshot.p_WF))
    close(R.T @ (snapshot.p_WF[snapshot.index["earth_enu"]] - p), 0.4 * up)
    assert scene.bodies["earth_globe"].shape.radius.value == 0.4
    close(rotation(scene, earth, mount), np.eye(3) if mount == WORLD else FLIP)


@pytest.mark.parametrize("mount", ALL_MOUNTS)
def test_that_a_wheel_rolls_forward_about_the_axis_of_its_cylinder(mounts, mount) -> None:
    scene, wheel = added(mounts, "wheel", mount)
    forward, left = {"FLU": ([1, 0, 0], [0, 1, 0]), "FRD": ([1, 0, 0], [0, -1, 0])}[{**UP, **DOWN}[mount]]
    close(rotation(scene, wheel, mount), np.eye(3))
    later = rotation(scene, wheel, mount, 1.0)
    up = np.cross(forward, left)
    close(later.T @ up, np.array(forward, dtype=float))  # after a quarter of a turn the top is in front
    body = scene.bodies["wheel_tyre"]
    turn = np.radians(body.orientation.angle)
    k = "xyz".index(body.orientation.axis)
    along = np.cross(np.eye(3)[k], [0, 0, 1]) * np.sin(turn)
    close(np.abs(along @ left), 1.0)


def test_that_a_propeller_turns_about_its_z_axis_and_a_gripper_holds_along_it(mounts) -> None:
    scene, propeller = added(mounts, "propeller", "body_frd")
    close(rotation(scene, propeller, "body_frd"), np.eye(3))
    close(rotation(scene, propeller, "body_frd", 0.25), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    blade = scene.bodies["propeller_blade"].shape
    assert blade.size[2] < 0.1 * blade.size[0]
    scene, gripper = added(mounts, "gripper", "flange")
    close(rotation(scene, gripper, "flange"), np.eye(3))
    tool = scene.frames["gripper_tool"].position.value
    left, right = (scene.bodies[f"gripper_{side}_finger"].position.value for side in ("left", "right"))
    assert tool[:2] == (0.0, 0.0)
    assert left == (right[0], -right[1], right[2])
    assert left[1] > 0.0
    tip = left[2] + scene.bodies["gripper_left_finger"].shape.size[2] / 2
    assert tip == pytest.approx(tool[2], abs=0.002)


def test_that_the_sensors_give_what_they_are_made_for(mounts) -> None:
    scene, imu = added(mounts, "imu", "body_frd")
    sensor = scene.sensors["imu_data"]
    assert (sensor.frame_a, sensor.get_w, sensor.get_a, sensor.resolve_in_frame_a) == (imu, True, True, True)
    assert not sensor.get_r
    assert sensor.arrows.w.value > 0.0 < sensor.arrows.a.value
    scene, gnss = added(mounts, "gnss", "arm")
    sensor = scene.sensors["gnss_fix"]
    assert (sensor.frame_a, sensor.get_r, sensor.get_v, sensor.resolve_in_frame_a) == (gnss, True, True, False)
    assert sensor.frame_resolve is None


@pytest.mark.parametrize("unit", ["m", "mm"])
@pytest.mark.parametrize(("speed", "rate"), [(0.01, 200.0), (50.0, 0.02), (0.0, 0.0)])
def test_that_arrows_are_as_long_as_a_few_axes(unit, speed, rate) -> None:
    scene = parse_scene(f"""
framescope: 1
frames:
  mover:
    parent: world
    position: {{value: ["{speed}*t", 0, 0], unit: m}}
    orientation: {{form: axis, axis: z, angle: "{rate}*sin(t)", unit: rad}}
view: {{triad_length: {"0.2 m" if unit == "m" else "200 mm"}}}
""")[0]
    factor = 1e-3 if unit == "mm" else 1.0
    for name, sensor, arrow, largest in (("imu", "imu_data", "w", rate), ("gnss", "gnss_fix", "v", speed)):
        quantity = getattr(added(scene, name, "mover")[0].sensors[sensor].arrows, arrow)
        assert quantity.unit.startswith(f"{unit} per")
        length = quantity.value * largest * factor
        assert (0.2 < length <= 0.6 + 1e-9) if largest else quantity.value > 0.0


@pytest.mark.parametrize("name", NAMES)
def test_that_all_names_of_a_thing_are_free_together(mounts, name) -> None:
    first, stem = added(mounts, name, "plain")
    second, frame = added(first, name, "plain")
    new = [(kind, own) for kind in ITEM_KINDS for own in set(getattr(second, kind)) - set(getattr(first, kind))]
    if name not in ("body_flu", "body_frd"):  # the scene of this test has such a frame
        assert frame == f"{stem}_2"
    assert all(own.startswith(frame) for _, own in new)
    for kind, own in new:  # one of them is taken by something else
        taken = with_item(first, kind, own, item_of(second, (kind, own)))
        third, other = added(taken, name, "plain")
        assert other not in (stem, frame)
        assert item_of(third, (kind, own)) == item_of(taken, (kind, own))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("odd", ["a" * 200, "∂ $x$ {name} %s", "-1", "null", "0x1F", "[a, b]", "a: b"])
def test_that_a_thing_lands_on_a_frame_of_any_name(name, odd) -> None:
    scene = with_item(Scene(), "frames", odd, Frame(parent=WORLD))
    scene, frame = added(scene, name, odd)
    assert scene.frames[frame].parent == (WORLD if name in BASES else odd)
    assert parse_scene(scene_text(scene))[0] == scene
    assert diagnose(compile_plan(scene)) == ()


def test_that_equipment_is_put_beside_what_carries_nothing_and_a_gripper_carries_it(mounts) -> None:
    scene = mounts
    for name in EQUIPMENT:
        scene = added(scene, name, "body_frd")[0]
    for selected in EQUIPMENT[:-1]:
        for name in EQUIPMENT:
            grown, frame = added(scene, name, selected)
            assert grown.frames[frame].parent == "body_frd", (selected, name)
    grown, frame = added(scene, "camera", "camera_optical")
    assert grown.frames[frame].parent == "body_frd"
    grown, frame = added(scene, "camera", "gripper_tool")
    assert grown.frames[frame].parent == "gripper_tool"
    grown, frame = added(scene, "imu", "lens_optical")
    assert grown.frames[frame].parent == "body_flu"


def test_that_a_camera_that_moves_by_itself_carries_equipment() -> None:
    keys = "keys: [{time: 0 s, position: [0, 0, 0]}, {time: 1 s, position: [1, 0, 0]}], unit: m"
    scene = parse_scene(f"framescope: 1\nframes: {{camera: {{parent: world, motion: {{form: keyframes, {keys}}}}}}}\n")[
        0
    ]
    grown, frame = added(scene, "imu", "camera")
    assert grown.frames[frame].parent == "camera"


@pytest.mark.parametrize("mount", [WORLD, "body_frd", "flange"])
def test_that_things_land_in_front_of_their_mount_and_beside_each_other(mounts, mount) -> None:
    scene, names = mounts, []
    for name in (*EQUIPMENT, "camera", "imu"):
        scene, frame = added(scene, name, mount)
        names.append(frame)
    snapshot = evaluate(compile_plan(scene), 0.0)
    places = np.array([snapshot.p_WF[snapshot.index[name]] for name in names])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=-1) + 10 * np.eye(len(names))
    assert gaps.min() > 0.1
    R, p = np.eye(3), np.zeros(3)
    if mount != WORLD:
        R, p = snapshot.R_WF[snapshot.index[mount]], snapshot.p_WF[snapshot.index[mount]]
    close((places - p) @ R @ [1, 0, 0], 0.24)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", ["2 km", "3 mm", "0.2 m"])
def test_that_a_thing_is_sized_to_the_scene(name, length) -> None:
    scene = parse_scene(f"framescope: 1\nview: {{triad_length: {length}}}\n")[0]
    scene, frame = added(scene, name, WORLD)
    axes = scene.view.triad_length.si("length", ())
    snapshot = evaluate(compile_plan(scene), 0.0)
    distance = np.linalg.norm(snapshot.p_WF[snapshot.index[frame]])
    assert 1.0 * axes < distance < 5 * axes
    assert diagnose(compile_plan(scene)) == ()


def test_that_selected_items_stand_for_their_frame_and_rings_of_parents_do_no_harm() -> None:
    scene = parse_scene("""
framescope: 1
frames: {a_frd: {parent: world}, b: {parent: c}, c: {parent: b}}
bodies: {box: {frame: a_frd, shape: {form: sphere, radius: 3 cm}}}
""")[0]
    edit = insert_items(scene, "camera", [("bodies", "box")])
    grown = edit.apply(scene)
    assert grown.frames["camera"].parent == "a_frd"
    assert grown.frames["camera_optical"].orientation.angles == (90.0, 0.0, 90.0)
    assert insert_items(scene, "imu", [("frames", "b")]).apply(scene).frames["imu"].parent == "b"
    assert insert_items(scene, "imu", [("notes", "gone")]).apply(scene).frames["imu"].parent == WORLD


def test_that_insertions_have_names_of_their_own_and_words_that_find_them() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert set(NAMES).isdisjoint(templates())
    scene = Scene()
    for insertion in FEATURE.insertions:
        edit = insert_items(scene, insertion.name)
        assert item_of(edit.apply(scene), edit.keys[0]) is not None
        assert edit.label == f"Added {edit.keys[0][1]}"
        assert insertion.words
