"""The pose of a frame as code, run or read by what it is written for."""

from __future__ import annotations

import ast
import math
import shlex
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope.core.conventions.pose_snippets import pose_as_code, static_transform_node
from framescope.core.frames import Orientation

angles = st.tuples(*[st.one_of(st.floats(-7, 7), st.sampled_from([0.0, math.pi / 2, -math.pi / 2]))] * 3)
places = st.tuples(*[st.floats(-1e3, 1e3)] * 3)


@given(angles, places)
def test_that_each_places_the_frame_where_it_is(turns, place) -> None:
    R_PF = Rotation.from_euler("ZYX", turns).as_matrix()
    R, p = Orientation(R_PF.T, np.zeros(3)), np.array(place)
    words = shlex.split(pose_as_code(R, p, "base link", "it's", "static-transform"))
    assert words[:4] == ["ros2", "run", "tf2_ros", "static_transform_publisher"]
    given_ = dict(zip(words[4::2], words[5::2], strict=True))
    assert (given_["--frame-id"], given_["--child-frame-id"]) == ("base link", "it's")
    assert [float(given_[f"--{name}"]) for name in "xyz"] == [*place]
    q = [float(given_[f"--q{name}"]) for name in "xyzw"]
    np.testing.assert_allclose(Rotation.from_quat(q).as_matrix(), R_PF, atol=1e-12)
    origin = ET.fromstring(pose_as_code(R, p, "", "", "urdf-origin"))
    rpy = [float(word) for word in origin.get("rpy").split()]
    np.testing.assert_allclose(Rotation.from_euler("xyz", rpy).as_matrix(), R_PF, atol=1e-7)
    assert [float(word) for word in origin.get("xyz").split()] == [*place]
    line = pose_as_code(R, p, "", "", "numpy-pose").partition("#")[0]
    X = eval(line.partition("=")[2], {"np": np})
    np.testing.assert_allclose(X, np.block([[R_PF, p[:, None]], [0, 0, 0, 1]]), atol=1e-12)


def test_that_what_is_no_target_is_said() -> None:
    with pytest.raises(ValueError, match='Did you mean "urdf-origin"'):
        pose_as_code(Orientation(np.eye(3), np.zeros(3)), np.zeros(3), "", "", "urdf_origin")


@given(angles, places)
def test_that_the_nodes_of_launch_files_have_the_arguments_of_the_command(turns, place) -> None:
    R, p = Orientation(Rotation.from_euler("ZYX", turns).as_matrix().T, np.zeros(3)), np.array(place)
    words = shlex.split(pose_as_code(R, p, "base link", "imu", "static-transform"))[4:]
    (xml,) = static_transform_node(R, p, "base link", "imu", "xml")
    assert shlex.split(ET.fromstring(xml).get("args")) == words
    call = ast.parse("\n".join(static_transform_node(R, p, "base link", "imu", "python")).rstrip(",")).body[0].value
    arguments = next(key.value for key in call.keywords if key.arg == "arguments")
    assert [part.value for part in arguments.elts] == words


@pytest.mark.parametrize("name", ["$(env HOME)", "it's", 'a"b', "a\\b"])
def test_that_a_name_that_xml_launch_files_would_replace_is_refused_there_alone(name) -> None:
    place = Orientation(np.eye(3), np.zeros(3)), np.zeros(3)
    with pytest.raises(ValueError, match="cannot hold"):
        static_transform_node(*place, "base", name, "xml")
    call = ast.parse("\n".join(static_transform_node(*place, "base", name, "python")).rstrip(",")).body[0].value
    arguments = next(key.value for key in call.keywords if key.arg == "arguments")
    assert arguments.elts[-1].value == name
