"""A frame as one row of typing: every field, every mistake, and the rows that people paste."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from framescope.features.things.core.frame_row import insert_row, parents_for, read_row, with_parent

SCENE = Scene.model_validate(
    {
        "frames": {
            "base_link": {"parent": "world"},
            "base_footprint": {"parent": "world"},
            "inner ring": {"parent": "world"},
        }
    }
)
OPTICAL = Rotation.from_euler("xyz", [-90, 0, -90], degrees=True)
"""Optical axes in those of a body that looks along x with z up (REP 103)."""


def pose_of(text: str, scene: Scene = SCENE):
    """Return name, parent, rotation in the parent and position of the frame that a row inserts."""
    row = read_row(text, scene)
    assert row.problem == "", row.problem
    plan = compile_plan(insert_row(row, scene).apply(scene))
    assert not [problem for problem in plan.problems if problem.severity == "red"]
    snapshot = evaluate(plan, 0.0)
    i, j = plan.index[row.name], plan.index[row.frame.parent]
    R_PF = snapshot.R_WF[j].T @ snapshot.R_WF[i]
    return row.name, row.frame.parent, R_PF, snapshot.R_WF[j].T @ (snapshot.p_WF[i] - snapshot.p_WF[j])


PITCHED = Rotation.from_euler("xyz", [0, -10, 0], degrees=True)
TURNED = Rotation.from_euler("xyz", [0.1, -0.2, 0.3])

ROWS = {
    "camera base_link 0.1 0 0.25": ("camera", "base_link", Rotation.identity(), (0.1, 0, 0.25)),
    "camera base_link 0.1 0 0.25 0 -10 0 deg": ("camera", "base_link", PITCHED, (0.1, 0, 0.25)),
    "camera base_link 0.1 0 0.25 0 -10 0 deg optical": ("camera", "base_link", PITCHED * OPTICAL, (0.1, 0, 0.25)),
    "camera base_link 0.1 0 0.25 optical": ("camera", "base_link", OPTICAL, (0.1, 0, 0.25)),
    "camera in base_link at (0.1, 0, 0.25), rpy (0.1, -0.2, 0.3) rad": (
        "camera",
        "base_link",
        TURNED,
        (0.1, 0, 0.25),
    ),
    "camera base_link 100 0 250 mm 0 0 90 °": (
        "camera",
        "base_link",
        Rotation.from_euler("z", 90, degrees=True),
        (0.1, 0, 0.25),
    ),
    "'my cam' \"inner ring\" 1 2 3 0 0 pi/2 rad": (
        "my cam",
        "inner ring",
        Rotation.from_euler("z", np.pi / 2),
        (1, 2, 3),
    ),
    "camera 1 2 3": ("camera", "world", Rotation.identity(), (1, 2, 3)),
    "1 2 3 0 0 0": ("frame", "world", Rotation.identity(), (1, 2, 3)),
    "1 2 3 0 0 0.6 0.8": ("frame", "world", Rotation.from_quat([0, 0, 0.6, 0.8]), (1, 2, 3)),
    "camera base_link 1 2 3 0 0 400": ("camera", "base_link", Rotation.from_euler("z", 40, degrees=True), (1, 2, 3)),
    "ros2 run tf2_ros static_transform_publisher 1 2 3 0.3 -0.2 0.1 base_link camera": (
        "camera",
        "base_link",
        TURNED,
        (1, 2, 3),
    ),
    "rosrun tf static_transform_publisher 1 2 3 0 0 0.6 0.8 base_link camera 100": (
        "camera",
        "base_link",
        Rotation.from_quat([0, 0, 0.6, 0.8]),
        (1, 2, 3),
    ),
    "static_transform_publisher --x 1 --y 2 --z 3 --yaw 0.3 --pitch -0.2 --roll 0.1 --frame-id base_link"
    " --child-frame-id camera": ("camera", "base_link", TURNED, (1, 2, 3)),
    "arguments=['--x', '1', '--y', '2', '--z', '3', '--frame-id', 'base_link', '--child-frame-id', 'camera']": (
        "camera",
        "base_link",
        Rotation.identity(),
        (1, 2, 3),
    ),
    '<origin xyz="1 2 3" rpy="0.1 -0.2 0.3"/>': ("frame", "world", TURNED, (1, 2, 3)),
    'camera base_link <origin xyz="1 2 3" rpy="0.1 -0.2 0.3"/>': ("camera", "base_link", TURNED, (1, 2, 3)),
    'camera base_link <origin xyz="1 2 3" rpy="0.1 -0.2 0.3"/> optical': (
        "camera",
        "base_link",
        TURNED * OPTICAL,
        (1, 2, 3),
    ),
    "camera base_link xyz='1 2 3' rpy='0 0 0'": ("camera", "base_link", Rotation.identity(), (1, 2, 3)),
}


@pytest.mark.parametrize(("text", "name", "parent", "R", "p"), [(text, *expected) for text, expected in ROWS.items()])
def test_that_a_row_is_a_frame(text, name, parent, R, p) -> None:
    got = pose_of(text)
    assert got[:2] == (name, parent)
    np.testing.assert_allclose(got[2], R.as_matrix(), atol=1e-9)
    np.testing.assert_allclose(got[3], p, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("base_link base_link 1 2 3", "name", "There is a frame base_link already. base_link_2 is free."),
        ("world base_link 1 2 3", "name", "There is a frame world already."),
        ("camera base_lnk 1 2 3", "parent", 'There is no frame base_lnk. Did you mean "base_link"?'),
        ("camera base_link 1 2x 3", "y", "y: 2x is no number."),
        ("camera base_link 1 nan 3", "y", "y: nan is no number."),
        ("camera base_link 1 2 1e999", "z", "z: 1e999 is no number."),
        ("camera base_link 1 2", "z", "z is missing: x y z."),
        ("camera base_link", "x", "x is missing: x y z."),
        ("camera base_link 1 2 3 4 5", "yaw", "yaw is missing: roll pitch yaw, or qx qy qz qw."),
        ("camera base_link 1 2 3 0 0 0.5", "unit", "Type deg or rad: the angles may be either."),
        ("camera base_link 1 2 3 0 0 90 grad", "unit", "grad is unknown here: expected deg, rad, mm, cm or optical."),
        ("camera base_link 1 2 3 1 1 1 1", "qx", "1 1 1 1 is no quaternion: its length is 2 instead of 1."),
        ("camera base_link 1 2 3 4 5 6 7 8", "axes", "There are 8 numbers: expected 3, 6 or 7."),
        ("a b c 1 2 3", "x", "c is no number. A row is: name, parent, x y z, roll pitch yaw."),
        ("camera base_link <origin/>", "x", ""),
        ("static_transform_publisher 1 2 3", "x", ""),
    ],
)
def test_that_a_mistake_is_told_at_its_field(text, at, problem) -> None:
    row = read_row(text, SCENE)
    assert row.frame is None
    assert (row.at, row.problem[: len(problem)]) == (at, problem)
    assert row.problem
    with pytest.raises(RefusedError):
        insert_row(row, SCENE)


def test_that_the_fields_are_those_that_are_typed_with_their_places() -> None:
    text = "camera base_link 0.1 0 0.25 0 -10 0 deg optical"
    row = read_row(text, SCENE)
    assert [(field.key, field.text) for field in row.fields] == list(
        zip(("name", "parent", "x", "y", "z", "roll", "pitch", "yaw", "unit", "axes"), text.split(), strict=True)
    )
    assert all(text[field.start : field.end] == field.text for field in row.fields)
    assert [field.key for field in read_row("a 1 2 3 0 0 0 1", SCENE).fields][5:] == ["qx", "qy", "qz", "qw", "axes"]


def test_that_the_selected_frame_is_the_parent_of_a_row_without_one() -> None:
    assert read_row("camera 1 2 3", SCENE, "inner ring").frame.parent == "inner ring"
    assert read_row("1 2 3", SCENE, "inner ring").frame.parent == "inner ring"


def test_that_parents_are_completed_where_they_are_typed() -> None:
    text = "camera ba"
    assert parents_for(read_row(text, SCENE), text, len(text), SCENE) == ("base_link", "base_footprint")
    assert with_parent(text, len(text), "base_link") == ("camera base_link ", len("camera base_link "))
    text = "camera ring 1 2 3"
    assert parents_for(read_row(text, SCENE), text, 11, SCENE) == ("inner ring",)
    assert with_parent(text, 9, "inner ring") == ('camera "inner ring" 1 2 3', len('camera "inner ring" '))
    text = "camera "
    assert parents_for(read_row(text, SCENE), text, len(text), SCENE)[0] == "world"
    assert parents_for(read_row("cam", SCENE), "cam", 3, SCENE) == ()


def test_that_the_untouched_frame_of_a_new_scene_is_replaced() -> None:
    new = Scene.model_validate(
        {
            "frames": {
                "frame 1": {
                    "parent": "world",
                    "orientation": {"form": "axes", "sequence": "XYZ", "angles": [0, 0, 0], "unit": "deg"},
                }
            }
        }
    )
    scene = insert_row(read_row("camera world 1 2 3", new), new).apply(new)
    assert list(scene.frames) == ["camera"]
    scene = insert_row(read_row('camera "frame 1" 1 2 3', new), new).apply(new)
    assert list(scene.frames) == ["frame 1", "camera"]


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "a",
                "base_link",
                "1",
                "2.5",
                "deg",
                "optical",
                '"',
                "<origin",
                "xyz=",
                "static_transform_publisher",
                "--x",
                "--frame-id",
                "nan",
                "1e400",
                "(",
                "mm",
                "in",
            ]
        ),
        max_size=14,
    ).map(" ".join)
)
def test_that_any_text_is_a_frame_or_a_problem(text) -> None:
    row = read_row(text, SCENE)
    assert (row.frame is None) == bool(row.problem)
    for place in (0, len(text) // 2, len(text)):
        assert row.field_at(place)
        for name in parents_for(row, text, place, SCENE):
            with_parent(text, place, name)
    if row.frame is not None:
        compile_plan(insert_row(row, SCENE).apply(SCENE))
