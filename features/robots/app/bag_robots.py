"""Robots described by a message in a bag, drawn on the recorded frames of their links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from framescope.core.errors import FramescopeError, Problem
from framescope.core.scene.schema.model import Scene
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.bag_scene import AddItems, BagChoices, SentFrames
from framescope.features.bags.core.topic_series import descriptions_in
from framescope.features.robots.app.robot_reader import bounds_of_files, meshes_of, named_from
from framescope.features.robots.core.robot import Robot
from framescope.features.robots.core.robot_bodies import with_bodies
from framescope.features.robots.core.robot_problems import fault_text, group_faults
from framescope.features.robots.core.urdf import read_urdf


def read_descriptions(bag: Bag, choices: BagChoices) -> AddItems:
    """Read the robot descriptions in an open bag; return a function that draws them in the scene of the bag."""
    descriptions = descriptions_in(bag, [], choices.robots)
    return lambda scene, path: draw_robots(scene, descriptions, path)


def draw_robots(scene: Scene, descriptions: dict[str, str], path: Path) -> tuple[Scene, tuple[Problem, ...]]:
    """Return the scene of a bag with the shapes of robots, and the problems of their descriptions.

    Meshes are found as in `framescope.features.robots.core.package_files`, starting at the bag. Meshes outside its
    folder are not drawn.
    """
    problems = list[Problem]()
    for topic, text in descriptions.items():
        try:
            robot = read_urdf(text.encode(), topic.strip("/").replace("/", " "))
        except FramescopeError as error:
            problems.append(Problem((), f"{topic}: {error}", "Its shapes are not drawn.", "amber", kind="robot-unread"))
            continue
        files = meshes_of(robot, path)
        meshes = named_from(path.resolve().parent, files)
        there = {name: file for name, file in files.items() if name in meshes}
        scene, lacks = with_bodies(scene, robot, dict(_frames(scene, robot, topic)), meshes, bounds_of_files(there))
        problems += (_as_problem(topic, fault) for fault in group_faults((*robot.faults, *lacks)))
    return scene, tuple(problems)


def _as_problem(topic: str, fault: Problem) -> Problem:
    """Return a fault of a robot as a problem of the scene, with its line in the description."""
    return replace(fault, key_path=(), message=fault_text(topic, fault), line=None)


def _frames(scene: Scene, robot: Robot, topic: str) -> Iterator[tuple[str, str]]:
    """Yield links with the frame of their name, in the topic's namespace or with that namespace as a prefix."""
    sent = SentFrames(scene)
    for link in robot.links:
        frame_name = sent.named(link.name, topic)
        if frame_name is not None:
            yield link.name, frame_name
