"""Frames that may be the same: the poses between them are looked at, not their names alone."""

from __future__ import annotations

import numpy as np

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.calibrations.core.rig.coincidence import same_frame_questions


def at(parent: str, child: str, x: float, *, is_inverse: bool = False) -> Edge:
    X = Transform(np.eye(3), [x, 0.0, 0.0])
    return Edge(parent, child, X.inverse() if is_inverse else X, "T", is_inverse)


EDGES = (at("imu0", "cam0", 0.1), at("imu0", "cam1", 0.2, is_inverse=True), at("body", "cam1", 0.2))
FILES = {"chain": ("imu0", "cam0", "cam1"), "sensor": ("body", "cam1"), "orb": ("body", "camera1", "camera2")}


def test_that_pairs_that_the_poses_put_together_are_asked_and_others_of_like_names_are_not() -> None:
    edges = (*EDGES, at("body", "camera1", 0.1001), at("camera1", "camera2", 0.1))
    questions = same_frame_questions(FILES, edges)
    assert {question.names for question in questions} == {("imu0", "body"), ("cam0", "camera1"), ("cam1", "camera2")}
    (question,) = (question for question in questions if question.names == ("cam0", "camera1"))
    text = "Are cam0 (chain) and camera1 (orb) the same frame? The poses put camera1 at cam0: they differ by "
    assert question.text == f"{text}less than 0.001° and 0.1 mm."


def test_that_names_are_asked_where_no_poses_connect_the_frames() -> None:
    (question,) = same_frame_questions({"a": ("imu0", "cam0"), "b": ("base", "camera0")}, [at("imu0", "cam0", 0.1)])
    assert question.names == ("cam0", "camera0")
    assert question.apart is None


def test_that_like_names_apart_are_noted_and_not_offered() -> None:
    edges = (at("base", "cam0", 0.1), at("base", "camera0", 0.9))
    (question,) = same_frame_questions({"a": ("base", "cam0"), "b": ("base", "camera0")}, edges)
    assert question.is_contradicted
    assert "less than 0.001° and 0.8 m apart: either they are two frames, or a pose is wrong." in question.text


def test_that_frames_of_one_file_are_never_asked() -> None:
    edges = (at("base", "cam0", 0.0), at("base", "cam1", 0.0), at("base", "x", 0.5))
    assert same_frame_questions({"a": ("base", "cam0", "cam1"), "b": ("base", "x")}, edges) == ()


def test_that_a_frame_is_asked_once_for_a_file_at_the_nearest_other() -> None:
    edges = (at("base", "cam0", 0.0), at("base", "cam1", 0.004), at("base", "camera5", 0.003))
    (question,) = same_frame_questions({"a": ("base", "cam0", "cam1"), "b": ("base", "camera5")}, edges)
    assert question.names == ("cam1", "camera5")
