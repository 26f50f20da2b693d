"""Checks of a robot that was read: joints that break the tree are left out, and impossible values are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TypeVar

from framescope.core.errors import Problem, Severity, near_miss
from framescope.features.robots.core.robot import Joint, Link, Robot, robot_problem
from framescope.features.robots.core.unit_checks import unit_faults
from framescope.features.robots.core.value_checks import joint_faults, link_faults


def check_robot(
    robot: Robot,
    line: int,
    *,
    has_one_root: bool = True,
    has_loops: bool = False,
    left_out: frozenset[str] = frozenset(),
) -> Robot:
    """Return the robot as a tree of uniquely named links, with all faults sorted by line; `line` is its root element's.

    Each link is the child of at most one joint, and joints refer to existing links. With `has_one_root`, several roots
    are a fault, except links in `left_out`, whose joint was left out and reported. With `has_loops`, the format allows
    joints that close a loop: they are noted, not faults, and still left out of the tree.
    """
    faults = list(robot.faults)
    links = tuple(_own_names(robot.links, "link", faults))
    joints = tuple(_own_names(robot.joints, "joint", faults))
    if not links:
        names = dict.fromkeys(name for joint in joints for name in (joint.parent, joint.child))
        links = tuple(Link(name, line=line) for name in names)
        hint = "Its links are those that joints name." if links else "There is nothing to see."
        faults.append(robot_problem(line, "no links", "robot", "the robot has no links.", hint, "red"))
    joints = tuple(_to_links_that_are_there(joints, links, faults))
    joints = tuple(_keep_one_parent(joints, faults, has_loops=has_loops))
    joints = tuple(_without_loops(joints, faults, has_loops=has_loops))
    joints = tuple(_following(joints, faults))
    checked_robot = replace(robot, links=links, joints=joints)
    faults += _roots(checked_robot, left_out | {joint.child for joint in robot.joints}) if has_one_root else ()
    faults += unit_faults(checked_robot)
    faults += [fault for joint in joints for fault in joint_faults(joint)]
    robot_mass = checked_robot.mass
    faults += [fault for link in links for fault in link_faults(link, robot_mass)]
    return replace(checked_robot, faults=tuple(sorted(faults, key=lambda fault: fault.line or 0)))


Named = TypeVar("Named", Link, Joint)


def _own_names(items: Iterable[Named], kind: str, faults: list[Problem]) -> Iterator[Named]:
    """Yield items with unique names; the first of two items with one name keeps it."""
    taken = dict[str, int]()
    for item in items:
        if item.name not in taken:
            taken[item.name] = item.line
            yield item
            continue
        message = f'another {kind} is called "{item.name}", in line {taken[item.name]}.'
        if kind == "link":
            faults.append(
                robot_problem(item.line, "name twice", f"link {item.name}", message, "It is left out.", "red")
            )
            continue
        name = next(new for n in range(2, 10**9) if (new := f"{item.name} {n}") not in taken)
        taken[name] = item.line
        faults.append(
            robot_problem(item.line, "name twice", f"joint {item.name}", message, f'It is called "{name}" here.')
        )
        yield replace(item, name=name)


def _to_links_that_are_there(joints: Iterable[Joint], links: Iterable[Link], faults: list[Problem]) -> Iterator[Joint]:
    names = [link.name for link in links]
    known = set(names)
    for joint in joints:
        missing = [(end, name) for end, name in (("parent", joint.parent), ("child", joint.child)) if name not in known]
        for end, name in missing:
            meant = near_miss(name, names)
            hint = (f'Did you mean "{meant}"? ' if meant else "") + "It is left out."
            message = f'its {end} "{name}" is no link of the robot.'
            faults.append(robot_problem(joint.line, "unknown link", f"joint {joint.name}", message, hint, "red"))
        if not missing:
            yield joint


LOOP_HINT = "The format allows that. A scene is a tree: its other joints are followed, and this one is not."
"""Hint about a joint that closes a loop in a format that allows it."""


def _keep_one_parent(joints: Iterable[Joint], faults: list[Problem], *, has_loops: bool) -> Iterator[Joint]:
    first = dict[str, Joint]()
    for joint in joints:
        if (other := first.setdefault(joint.child, joint)) is joint:
            yield joint
            continue
        message = f'its child "{joint.child}" hangs on joint {other.name} already, in line {other.line}.'
        hint, severity = _of_loop("A link has one parent: it is left out.", has_loops=has_loops)
        if has_loops:
            message = f'it closes a loop: its child "{joint.child}" hangs on joint {other.name}, in line {other.line}.'
        faults.append(robot_problem(joint.line, "two parents", f"joint {joint.name}", message, hint, severity))


def _of_loop(hint: str, *, has_loops: bool) -> tuple[str, Severity]:
    """Return the hint and the severity for a joint that closes a loop."""
    return (LOOP_HINT, "note") if has_loops else (hint, "red")


def _without_loops(joints: Iterable[Joint], faults: list[Problem], *, has_loops: bool) -> Iterator[Joint]:
    """Yield joints without those that close a loop: of each loop the last in the file."""
    above = {joint.child: joint for joint in joints}
    finished = set[str]()
    for start in list(above):
        name, path = start, dict[str, None]()
        while name in above and name not in finished and name not in path:
            path[name] = None
            name = above[name].parent
        if name in path:
            names = list(path)[list(path).index(name) :]
            last = max((above[child] for child in names), key=lambda joint: joint.line)
            del above[last.child]
            message = f"it closes a loop: {', '.join(names[:6])}{', ...' * (len(names) > 6)}."
            hint, severity = _of_loop("A robot is a tree: it is left out.", has_loops=has_loops)
            faults.append(robot_problem(last.line, "loop", f"joint {last.name}", message, hint, severity))
        finished.update(path)
    return iter(above.values())


def _following(joints: tuple[Joint, ...], faults: list[Problem]) -> Iterator[Joint]:
    """Yield joints in which each follower follows an existing, moving joint."""
    named = {joint.name: joint for joint in joints}
    for joint in joints:
        if joint.mimic is None:
            yield joint
            continue
        where, line, leader = f"joint {joint.name}", joint.mimic.line, named.get(joint.mimic.joint)
        if leader is None or leader.type == "fixed" or leader.name == joint.name:
            meant = near_miss(joint.mimic.joint, [name for name in named if name != joint.name])
            why = "is the joint itself" if leader is joint else "is fixed" if leader else "is no joint of the robot"
            hint = (f'Did you mean "{meant}"? ' if meant and leader is None else "") + "It moves by itself here."
            faults.append(robot_problem(line, "mimic", where, f'<mimic>: "{joint.mimic.joint}" {why}.', hint, "red"))
            yield replace(joint, mimic=None)
            continue
        if leader.mimic is not None:
            message = f'<mimic>: "{leader.name}" follows "{leader.mimic.joint}" itself.'
            if _is_ring(joint, named):
                hint = "They follow each other in a ring: it moves by itself here."
                faults.append(robot_problem(line, "mimic of mimic", where, message, hint, "red"))
                yield replace(joint, mimic=None)
                continue
            hint = "Programs do not agree on that; it is followed to the end here. Name the last one."
            faults.append(robot_problem(line, "mimic of mimic", where, message, hint))
        yield joint


def _is_ring(joint: Joint, named: Mapping[str, Joint]) -> bool:
    """Return whether the chain of joints that a joint follows ends in a ring."""
    seen = {joint.name}
    while joint.mimic is not None and joint.mimic.joint in named:
        joint = named[joint.mimic.joint]
        if joint.name in seen:
            return True
        seen.add(joint.name)
        if len(seen) > LONGEST_CHAIN:
            return True
    return False


LONGEST_CHAIN = 100
"""Limit of the chain of joints that follow one another."""


def _roots(robot: Robot, children: AbstractSet[str]) -> Iterator[Problem]:
    """Yield faults for roots other than the main one, except children of joints that were left out."""
    roots = robot.roots
    if len(roots) < 2:
        return
    lines = {link.name: link.line for link in robot.links}
    sizes = _sizes(robot)
    main = max(roots, key=lambda name: sizes[name])
    for name in roots:
        if name != main and name not in children:
            message = f'no joint has it as its child, and "{main}" is a root, too.'
            hint = "A robot has one root: add a joint to it. It stands at the origin here."
            yield robot_problem(lines[name], "two roots", f"link {name}", message, hint)


def _sizes(robot: Robot) -> Counter[str]:
    """Return the number of links below each root, with the root."""
    above = {joint.child: joint.parent for joint in robot.joints}
    root_of, sizes = dict[str, str](), Counter[str]()
    for link in robot.links:
        path, at = list[str](), link.name
        while at in above and at not in root_of:
            path.append(at)
            at = above[at]
        root = root_of.get(at, at)
        root_of.update(dict.fromkeys(path, root))
        sizes[root] += 1
    return sizes
