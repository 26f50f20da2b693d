"""Axes of a frame in words: which axis of another frame each is along, and what that means on a body."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.conventions.axes_in_words import axes_in_short, axes_in_words, body_axes_in_name
from tests.support.cases import for_each

OPTICAL = Rotation.from_euler("xyz", [-90, 0, -90], degrees=True).as_matrix()
"""The optical frame on a body with z up, by REP 103: its columns are its axes."""


def test_that_an_optical_frame_on_a_body_with_z_up_is_right_down_and_forward() -> None:
    assert axes_in_words(OPTICAL, "camera", "body", "FLU") == (
        "x of camera looks along −y of body: to the right",
        "y of camera looks along −z of body: down",
        "z of camera looks along +x of body: forward",
    )
    assert axes_in_short(OPTICAL, "body", "FLU") == "x right, y down, z forward in body"


def test_that_the_same_axes_mean_other_directions_where_z_points_down() -> None:
    words = axes_in_words(np.eye(3), "imu", "body", "FRD")
    assert [sentence.rpartition(": ")[2] for sentence in words] == ["forward", "to the right", "down"]
    assert words[1].startswith("y of imu looks along +y of body")


def test_that_an_oblique_axis_has_an_angle_and_no_direction() -> None:
    R_AB = Rotation.from_euler("y", -30, degrees=True).as_matrix()
    x, y, _ = axes_in_words(R_AB, "camera", "body", "FLU")
    assert x == "x of camera looks along +x of body, 30° towards +z"
    assert y == "y of camera looks along +y of body: to the left"
    assert (
        axes_in_short(R_AB, "body", "FLU") == "x is 30° from +x towards +z, y left, z is 30° from +z towards −x in body"
    )


def test_that_only_axes_are_named_where_their_meaning_is_unknown() -> None:
    assert axes_in_words(OPTICAL, "camera", "arm", "")[2] == "z of camera looks along +x of arm"
    assert axes_in_short(OPTICAL, "arm", "") == "x → −y, y → −z, z → +x in arm"


@for_each(
    ("name", "letters"),
    [
        *(("body", "FLU"), ("base_link", "FLU"), ("robot_flu", "FLU"), ("body_frd", "FRD"), ("FRD", "FRD")),
        *(("base_enu", "FLU"), ("robot_ned", "FRD")),
    ],
)
def test_that_a_body_has_axes(name: str, letters: str) -> None:
    assert body_axes_in_name(name) == letters


@for_each("name", ["world", "elbow", "ned", "odom", "someone"])
def test_that_other_frames_have_none(name: str) -> None:
    assert body_axes_in_name(name) == ""
