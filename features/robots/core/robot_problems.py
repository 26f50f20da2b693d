"""Problems of robots in files: faults in the file, and links at other poses in the scene, with their fixes."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from framescope.core.analysis.diagnostics.diagnosis import PACKAGE, make_problem
from framescope.core.errors import FramescopeError, ItemError, KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit, with_item
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.files.referenced_files import ROBOT_FILES
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.robots import RobotFile
from framescope.core.system.file_access import MISSING, Access, resolve_folder, resolve_named
from framescope.features.robots.core.mesh_sizes import mesh_faults
from framescope.features.robots.core.moved_links import MovedLink, as_in_file, moved_links, robot_of
from framescope.features.robots.core.package_files import find_file, missing_packages, package_of
from framescope.features.robots.core.robot import Joint, Robot
from framescope.features.robots.core.robot_scene import frame_names, mesh_files, missing_meshes
from framescope.features.robots.core.unit_checks import FAR, MILLIMETRES

MOST_ALIKE, LISTED = 5, 4
"""Limits of faults of one kind that are reported separately, and of listed lines of further ones."""

MAX_MOVED = 50
"""Limit of moved links of one robot that are reported."""


def robot_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the problems of the robots of a scene; may be called on any thread."""
    for name, robot_file in plan.scene.robots.items():
        key: KeyPath = ("robots", name, "file")
        try:
            path = resolve_named(robot_file.file, plan.context.access, key, ROBOT_FILES)
            robot = robot_of(path)
        except ItemError as error:
            title = "file missing" if error.kind == MISSING else "file not read"
            hint = error.hint + " The scene is drawn without it."
            yield make_problem(error.key_path, error.kind or "robot-file", title, error.message, hint.strip())
            continue
        except (FramescopeError, OSError) as error:
            yield make_problem(
                key, "robot-file", "file not read", f"{robot_file.file}: {error}", "The scene is drawn without it."
            )
            continue
        packages = folders_of(robot_file, plan.context.access)
        missing = missing_packages(path, mesh_files(robot), packages)
        yield from (_package(name, robot_file.file, package, files) for package, files in missing.items())
        reported = {mesh for mesh in mesh_files(robot) if package_of(mesh)[0] in missing}
        present = {mesh for mesh in mesh_files(robot) if find_file(path.resolve(), mesh, packages) is not None}
        lacks = [fault for link in robot.links for fault in missing_meshes(link, reported | present)]
        faults = sorted((*robot.faults, *mesh_faults(robot, path, packages), *lacks), key=lambda fault: fault.line or 0)
        all_moved = tuple(moved_links(plan.scene, robot))
        for fault in group_faults(faults):
            joint = _joint_in_millimetres(robot, fault)
            if joint is None:
                yield _in_scene(key, robot_file.file, fault)
            elif joint not in (moved.joint for moved in all_moved):  # otherwise it is to be written into the file
                problem = _in_scene(key, robot_file.file, fault)
                yield _with_millimetres(plan.scene, problem, frame_names(robot)[joint.child])
        for i, moved in enumerate(all_moved):
            if i < MAX_MOVED:
                yield _moved_problem(moved, robot_file.file)


def frames_of_robots(plan: Plan) -> frozenset[str]:
    """Return the frames of the links of a scene's robots; removing one breaks its robot."""
    names = set[str]()
    for name, robot_file in plan.scene.robots.items():
        with contextlib.suppress(FramescopeError, OSError):  # reported by `robot_problems`
            path = resolve_named(robot_file.file, plan.context.access, ("robots", name, "file"), ROBOT_FILES)
            names.update(frame_names(robot_of(path)).values())
    return frozenset(names)


def folders_of(robot: RobotFile, access: Access) -> dict[str, Path]:
    """Return the folders of packages that a scene names for a robot and may access."""
    folders = ((package.name, resolve_folder(package.folder, access)) for package in robot.packages)
    return {package: folder for package, folder in folders if folder is not None}


def _package(robot: str, file: str, package: str, files: Sequence[str]) -> Problem:
    many = f"{len(files)} meshes" if len(files) > 1 else "one mesh"
    message = f"{file}: the package {package} is not beside it: {many} of it, such as {files[0]}, cannot be drawn."
    key: KeyPath = ("robots", robot, "packages", package)
    return make_problem(key, PACKAGE, "package missing", message, "Find its folder.", severity="amber")


def group_faults(faults: Iterable[Problem]) -> Iterator[Problem]:
    """Yield faults, with many of one kind merged into the first, which lists the lines of the others.

    >>> from framescope.features.robots.core.robot import robot_problem
    >>> many = [robot_problem(n, "mirrored", f"link {n}", "the scale mirrors it.") for n in range(1, 9)]
    >>> [(fault.line, fault.message) for fault in group_faults(many)]
    [(1, 'the scale mirrors it. There are 7 more like this, in lines 2, 3, 4, 5 and others.')]
    """
    by_kind = dict[tuple[str, str], list[Problem]]()
    for fault in faults:
        by_kind.setdefault((fault.kind, fault.severity), []).append(fault)
    for alike in sorted(by_kind.values(), key=lambda alike: alike[0].line or 0):
        first, *others = alike
        if len(alike) <= MOST_ALIKE:
            yield from alike
            continue
        lines = ", ".join(str(fault.line or 0) for fault in others[:LISTED])
        more = f" There are {len(others)} more like this, in lines {lines} and others."
        yield replace(first, message=first.message + more)


def fault_text(named: str, fault: Problem) -> str:
    """Return the message of a fault with its line and part in a file, which is named."""
    place = f"{named}, line {fault.line}" if fault.line else named
    return f"{place}: {fault.where}: {fault.message}"


def _in_scene(key: KeyPath, file: str, fault: Problem) -> Problem:
    """Return a fault in the file of a robot as a problem of the scene that names the file."""
    kind, message = f"robot-{fault.kind.replace(' ', '-')}", fault_text(file, fault)
    return replace(fault, key_path=key, message=message, line=None, kind=kind, title=fault.kind)


def _joint_in_millimetres(robot: Robot, fault: Problem) -> Joint | None:
    """Return the joint whose origin looks like millimetres by a fault; None for other faults."""
    if fault.kind != MILLIMETRES:
        return None
    joints = (
        joint for joint in robot.joints if (f"joint {joint.name}", joint.placement.line) == (fault.where, fault.line)
    )
    return next((joint for joint in joints if math.hypot(*joint.placement.xyz) > FAR), None)


def _with_millimetres(scene: Scene, problem: Problem, name: str) -> Problem:
    """Return a problem of a joint's origin at the frame of its link, with the fix that reads its numbers in mm."""
    frame = scene.frames.get(name)
    if frame is None or frame.position is None:
        return problem
    path: KeyPath = ("frames", name, "position")
    edit = set_values({(*path, "unit"): "mm"}, f"Took the position of {name} in millimetres")
    return replace(problem, key_path=path).with_fix("Take as millimetres", edit)


def _moved_problem(moved: MovedLink, file: str) -> Problem:
    message = f"{file} has it elsewhere (joint {moved.joint.name}, line {moved.joint.line})."
    hint = "Write it into the file (File, Write into the robot), or take it from there."
    problem = make_problem(("frames", moved.frame), "moved-link", "moved from its file", message, hint, severity="note")

    def apply(scene: Scene) -> Scene:
        return with_item(scene, "frames", moved.frame, as_in_file(scene.frames[moved.frame], moved.joint))

    edit = Edit(f"Took {moved.frame} from {file}", apply)
    problem = replace(problem, action="write_robot", action_text="Write into the file")
    return problem.with_fix("Take it from the file", edit)
