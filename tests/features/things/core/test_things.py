"""Things to insert: axes on every kind of mount, names, places and sizes, and that nothing is wrong with them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from framescope.core import frames
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.frame_axes import PlanMotions
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import rename_item
from framescope.core.scene.edits.new_items import FIRST_FRAME, insert_items, templates
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
  lens_optical:
    parent: body_flu
    position: {value: [0.4, 0, 0.2], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg}
  plain: {parent: flangeless, position: {value: [0, 0, 2], unit: m}}
  flangeless: {parent: world}
"""
"""A scene with mounts of each convention; `flange` is deep below a moving FRD body."""

UP = {WORLD: "FLU", "body_flu": "FLU", "map_enu": "FLU", "map_nwu": "FLU", "plain": "FLU"}
DOWN = {"body_frd": "FRD", "odom_ned": "FRD", "flange": "FRD"}
ALL_MOUNTS = [*UP, *DOWN]
LEVEL = ("map_enu", "map_nwu", "odom_ned")
STANDARD = ("body_flu", "body_frd", "enu", "ned", "ecef")
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
    edit = insert_items(scene, name, [("frames", mount)], PlanMotions(compile_plan(scene)))
    ((kind, frame),) = edit.keys
    assert kind == "frames"
    return edit.apply(scene), frame


def rotation(scene: Scene, frame: str, relative_to: str, t: float = 0.0) -> np.ndarray:
    """Return the rotation of a frame into another."""
    snapshot = evaluate(compile_plan(scene), t)
    R_WF = {name: np.eye(3) if name == WORLD else snapshot.R_WF[snapshot.index[name]] for name in (frame, relative_to)}
    return R_WF[frame].T @ R_WF[relative_to]


def merged(whole: dict, part: dict) -> dict:
    """Return nested values with the values of a part."""
    both = {key: merged(whole[key], part[key]) for key in part if isinstance(part[key], dict) and key in whole}
    return {**whole, **part, **both}


def close(a, b) -> None:
    np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize("mount", ALL_MOUNTS)
@pytest.mark.parametrize("name", NAMES)
def test_that_nothing_is_wrong_with_a_thing_and_it_survives_its_file(mounts, name, mount) -> None:
    scene, frame = added(mounts, name, mount)
    assert diagnose(compile_plan(scene)) == ()
    assert scene.frames[frame].parent == (WORLD if name in STANDARD and mount not in LEVEL else mount)
    assert parse_scene(scene_text(scene))[0] == scene
    for kind in ITEM_KINDS:  # nothing else has changed
        assert getattr(scene, kind) | getattr(mounts, kind) == getattr(scene, kind)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in STANDARD])
@pytest.mark.parametrize("yaw", [0.0, "30*t"])
def test_that_the_motion_of_a_body_shows_that_its_z_is_down_where_its_name_does_not(name, yaw) -> None:
    orientation = {"form": "axes", "sequence": "ZYX", "angles": [yaw, 0, 180], "unit": "deg"}

    def on(body: str) -> tuple[Scene, str]:
        frames = {body: {"parent": WORLD, "orientation": orientation}}
        return added(Scene.model_validate({"framescope": 1, "frames": frames}), name, body)

    (named, frame), (renamed, other) = on("body_frd"), on("body")
    assert frame == other
    assert renamed.frames[frame] == named.frames[frame].model_copy(update={"parent": "body"})
    parts = renamed.frames.keys() - {"body"}
    assert {part: renamed.frames[part].orientation for part in parts} == {
        part: named.frames[part].orientation for part in parts
    }


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
@pytest.mark.parametrize("mount", [WORLD, *LEVEL])
def test_that_body_frames_keep_forward(mounts, name, convention, mount) -> None:
    scene, frame = added(mounts, name, mount)
    close(rotation(scene, frame, mount), np.eye(3) if {**UP, **DOWN}[mount] == convention else FLIP)


@pytest.mark.parametrize("name", STANDARD)
def test_that_standard_frames_are_beside_bodies_on_the_level_frame_above_them(mounts, name) -> None:
    level = with_item(mounts, "frames", "drone", Frame(parent="odom_ned"))
    level = added(added(level, "body_frd", "drone")[0], "camera", "body_frd_2")[0]
    for selected, parent in (("camera", "odom_ned"), ("drone", "odom_ned"), ("flange", WORLD), ("body_flu", WORLD)):
        scene, frame = added(level, name, selected)
        assert scene.frames[frame].parent == parent, selected
        places = np.array([f.position.value for own, f in level.frames.items() if f.parent == parent and f.position])
        gaps = np.linalg.norm(places.reshape(-1, 3) - scene.frames[frame].position.value, axis=1)
        assert gaps.min(initial=1.0) > 0.19, selected


@pytest.fixture
def new_scene() -> Scene:
    return parse_scene(f"""
framescope: 1
frames:
  {FIRST_FRAME}:
    parent: world
    orientation: {{form: axes, sequence: XYZ, angles: [0, 0, 0], unit: deg}}
""")[0]


@pytest.mark.parametrize("name", STANDARD)
def test_that_a_standard_frame_replaces_the_untouched_frame_of_a_new_scene(new_scene, name) -> None:
    scene, frame = added(new_scene, name, FIRST_FRAME)
    assert FIRST_FRAME not in scene.frames
    assert scene.frames[frame].parent == WORLD
    edit = insert_items(new_scene, name)
    assert edit.label == f"Added {frame} in place of frame 1"
    assert edit.apply(new_scene) == scene


@pytest.mark.parametrize(
    "touch",
    [
        {"frames": {"arm": {"parent": FIRST_FRAME}}},
        {"bodies": {"box": {"frame": FIRST_FRAME, "shape": {"form": "sphere", "radius": "3 cm"}}}},
        {"bodies": {"box": {"frame": WORLD, "shape": {"form": "sphere", "radius": "3 cm"}}}},
        {"frames": {FIRST_FRAME: {"position": {"value": [1, 0, 0], "unit": "m"}}}},
        {"frames": {FIRST_FRAME: {"orientation": {"angles": [0, 0, "36*t"]}}}},
        {"frames": {FIRST_FRAME: {"orientation": None}}},
        {"view": {"trails": [{"frame": FIRST_FRAME, "duration": "1 s"}]}},
        {"view": {"frames": {FIRST_FRAME: {"label": False}}}},
        {"view": {"hidden": {"frames": [FIRST_FRAME]}}},
        {"view": {"plots": [{"signal": "angular velocity", "of": FIRST_FRAME}]}},
    ],
)
def test_that_a_frame_of_a_new_scene_that_someone_has_touched_stays(new_scene, touch) -> None:
    touched = Scene.model_validate(merged(new_scene.model_dump(exclude_unset=True), touch))
    scene, frame = added(touched, "body_flu", FIRST_FRAME)
    assert scene.frames[FIRST_FRAME] == touched.frames[FIRST_FRAME]
    assert scene.frames[frame].parent == WORLD


def test_that_equipment_of_a_new_scene_is_on_its_frame(new_scene) -> None:
    scene, imu = added(new_scene, "imu", FIRST_FRAME)
    assert scene.frames[imu].parent == FIRST_FRAME
    assert scene.frames[imu].position.value == (0.0, 0.0, 0.0)


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


@pytest.mark.parametrize(("name", "rate"), [("propeller", "360*t"), ("wheel", "-90*t")])
def test_that_the_spin_is_the_first_angle_of_the_sequence(mounts, name, rate) -> None:
    scene, frame = added(mounts, name, "body_frd")
    assert scene.frames[frame].orientation.angles == (rate, 0.0, 0.0)


@pytest.mark.parametrize("name", ["camera", "imu", "gnss", "lidar", "wheel", "propeller"])
def test_that_the_next_of_a_kind_goes_on_the_same_body_even_after_a_new_name(mounts, name) -> None:
    scene, first = added(mounts, name, "body_frd")
    scene, again = added(scene, name, first)
    assert scene.frames[again].parent == "body_frd"
    scene = rename_item(scene, "frames", again, "front left").apply(scene)
    scene, third = added(scene, name, "front left")
    assert scene.frames[third].parent == "body_frd"


def test_that_the_sensors_give_what_they_are_made_for(mounts) -> None:
    scene, imu = added(mounts, "imu", "body_frd")
    sensor = scene.sensors["imu_data"]
    assert (sensor.frame_a, sensor.get_w, sensor.get_a, sensor.resolve_in_frame_a) == (imu, True, True, True)
    assert not sensor.get_r
    read = evaluate(compile_plan(added(scene, "imu", "map_enu")[0]), 0.0).sensors["imu_2_data"]
    np.testing.assert_allclose(read, [0, 0, 0, 0, 0, 0, 0, 0, 9.80665], atol=1e-14)  # at rest
    read = evaluate(compile_plan(added(scene, "imu", "odom_ned")[0]), 0.0).sensors["imu_2_data"]
    np.testing.assert_allclose(read, [0, 0, 0, 0, 0, 0, 0, 0, -9.80665], atol=1e-14)
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
    assert scene.frames[frame].parent == (WORLD if name in STANDARD else odd)
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


def test_that_things_land_in_front_of_the_world_and_beside_each_other(mounts) -> None:
    scene, names = mounts, []
    for name in (*EQUIPMENT, "camera", "imu"):
        scene, frame = added(scene, name, WORLD)
        names.append(frame)
    snapshot = evaluate(compile_plan(scene), 0.0)
    places = np.array([snapshot.p_WF[snapshot.index[name]] for name in names])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=-1) + 10 * np.eye(len(names))
    assert gaps.min() > 0.1
    close(places @ [1, 0, 0], 0.24)


def corners(scene: Scene, body: str, mount: str, t: float) -> np.ndarray:
    """Return the corners (8, 3) of the box around a body in a frame, m."""
    item = scene.bodies[body]
    shape = item.shape
    half = np.array(shape.size) / 2 if shape.form == "box" else [shape.radius.value] * 2 + [shape.height.value / 2]
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
    points = signs * half
    if item.orientation is not None:
        points = (
            points
            @ frames.planar_rotation(
                np.eye(3)["xyz".index(item.orientation.axis)], np.radians(item.orientation.angle)
            ).T
        )
    points = points + (item.position.value if item.position else 0.0)
    snapshot = evaluate(compile_plan(scene), t)
    i, k = snapshot.index[item.frame], snapshot.index[mount]
    in_world = points @ snapshot.R_WF[i].T + snapshot.p_WF[i]
    return (in_world - snapshot.p_WF[k]) @ snapshot.R_WF[k]


@pytest.mark.parametrize("mount", ["body_flu", "body_frd", "flange"])
def test_that_equipment_is_within_its_body_and_nothing_lies_on_another(mounts, mount) -> None:
    scene = mounts
    for name in ("imu", "camera", "gnss", "lidar", *4 * ["wheel"], *4 * ["propeller"], "camera", "imu", "gripper"):
        scene = added(scene, name, mount)[0]
    assert scene.frames["imu"].position.value == (0.0, 0.0, 0.0)
    equipment = {
        name: frame for name, frame in scene.frames.items() if frame.parent == mount and name not in mounts.frames
    }
    for name, frame in equipment.items():
        assert np.linalg.norm(frame.position.value) <= 0.6, name
    left = 1.0 if mount == "body_flu" else -1.0
    assert scene.frames["wheel"].position.value[0] > 0.0 < left * scene.frames["wheel"].position.value[1]
    solids = [name for name, body in scene.bodies.items() if body.shape.form != "frustum"]
    for t in (0.0, 0.125, 0.25):  # propellers along and across
        boxes = {name: corners(scene, name, mount, t) for name in solids}
        for one, other in itertools.combinations(solids, 2):
            if scene.bodies[one].frame != scene.bodies[other].frame:
                low = np.maximum(boxes[one].min(axis=0), boxes[other].min(axis=0))
                high = np.minimum(boxes[one].max(axis=0), boxes[other].max(axis=0))
                assert (low >= high - 1e-9).any(), (one, other)


def test_that_a_gripper_is_at_the_end_of_an_arm_and_any_number_of_things_find_a_place(mounts) -> None:
    scene, gripper = added(mounts, "gripper", "flange")
    assert scene.frames[gripper].position.value == (0.0, 0.0, 0.0)
    for name in ("imu", "wheel"):
        grown, new = mounts, []
        for _ in range(9):
            grown, frame = added(grown, name, "body_flu")
            new.append(grown.frames[frame].position.value)
        gaps = np.linalg.norm(np.array(new)[:, None] - np.array(new)[None], axis=-1) + 10 * np.eye(len(new))
        assert gaps.min() > 0.06


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", ["2 km", "3 mm", "0.2 m"])
def test_that_a_thing_is_sized_to_the_scene(name, length) -> None:
    scene = parse_scene(f"framescope: 1\nview: {{triad_length: {length}}}\n")[0]
    scene, frame = added(scene, name, WORLD)
    axes = scene.view.triad_length.si("length", ())
    snapshot = evaluate(compile_plan(scene), 0.0)
    distance = np.linalg.norm(snapshot.p_WF[snapshot.index[frame]])
    if name in STANDARD:
        assert distance == 0.0  # the first frame of a scene
    else:
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


@pytest.mark.parametrize("length", ["0.2 m", "500 mm", "1 m"])
@pytest.mark.parametrize(
    ("name", "body", "extent"),
    [
        ("imu", "imu_case", (0.04, 0.04, 0.015)),
        ("camera", "camera_case", (0.08, 0.06, 0.06)),
        ("propeller", "propeller_blade", (0.25, 0.025, 0.006)),
        ("gnss", "gnss_antenna", (0.15, 0.15, 0.03)),
        ("lidar", "lidar_case", (0.1, 0.1, 0.07)),
    ],
)
def test_that_equipment_has_its_usual_size_in_a_scene_of_the_size_of_a_robot(length, name, body, extent) -> None:
    scene = parse_scene(f"framescope: 1\nframes: {{drone: {{parent: world}}}}\nview: {{triad_length: {length}}}\n")[0]
    scene, _ = added(scene, name, "drone")
    factor = 1e-3 if "mm" in length else 1.0
    sides = np.ptp(corners(scene, body, scene.bodies[body].frame, 0.0), axis=0)
    np.testing.assert_allclose(sorted(sides * factor), sorted(extent), rtol=1e-6)
