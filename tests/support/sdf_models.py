"""Models in SDFormat for tests: random ones, nested and with frames, and a slow resolver that is not ours."""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation


def _numbers(values) -> str:
    return " ".join(repr(float(value)) for value in values)


@dataclass
class MadeModel:
    """A model that was made: its text, and the joints that are set by hand, by their names in the whole."""

    text: str = ""
    joints: list[str] = field(default_factory=list)


def random_model(seed: int, depth: int = 2) -> MadeModel:
    """Return a random model: links in frames of each other, nested models, joints with axes in other frames."""
    rng, made = random.Random(seed), MadeModel()
    made.text = f'<sdf version="1.9">{_model(rng, made, "m", "", depth, is_top=True)}</sdf>'
    return made


def _pose(rng: random.Random, names: list[str]) -> str:
    attributes = f' relative_to="{rng.choice(names)}"' if names and rng.random() < 0.7 else ""
    xyz = _numbers(rng.uniform(-1, 1) for _ in range(3))
    if rng.random() < 0.3:
        q = np.array([rng.gauss(0, 1) for _ in range(4)])
        return f'<pose{attributes} rotation_format="quat_xyzw">{xyz} {_numbers(q / np.linalg.norm(q))}</pose>'
    if rng.random() < 0.3:
        angles = _numbers(rng.uniform(-180, 180) for _ in range(3))
        return f'<pose{attributes} degrees="true">{xyz} {angles}</pose>'
    steep = rng.choice([rng.uniform(-1.5, 1.5), math.pi / 2, -math.pi / 2])
    return f"<pose{attributes}>{xyz} {_numbers([rng.uniform(-3, 3), steep, rng.uniform(-3, 3)])}</pose>"


def _model(rng: random.Random, made: MadeModel, name: str, prefix: str, depth: int, *, is_top: bool) -> str:
    links = [f"l{i}" for i in range(rng.randint(2, 4))]
    inner = [f"n{i}" for i in range(rng.randint(1, 2))] if depth else []
    nested = [_model(rng, made, each, f"{prefix}{each}::", depth - 1, is_top=False) for each in inner]
    ends = [*links, *(f"{each}::l0" for each in inner)]
    out, known = [], []
    for link in links:
        out.append(f'<link name="{link}">{_pose(rng, known)}</link>')
        known.append(link)
    known += [*inner, *(f"{each}::l1" for each in inner)]
    frames = [f"f{i}" for i in range(rng.randint(1, 3))]
    for i, frame in enumerate(frames):
        attached = f' attached_to="{rng.choice([*ends, *frames[:i]])}"' if rng.random() < 0.7 else ""
        out.append(f'<frame name="{frame}"{attached}>{_pose(rng, known)}</frame>')
        known.append(frame)
    for i, child in enumerate(ends[1:], start=1):
        joint, kind = f"j{i}", rng.choice(["revolute", "prismatic", "continuous", "fixed"])
        parent = rng.choice([*ends[:i], *(["world"] if is_top and i == 1 else [])])
        axis = ""
        if kind != "fixed":
            e = np.array([rng.gauss(0, 1) for _ in range(3)])
            named = f' expressed_in="{rng.choice(known)}"' if rng.random() < 0.6 else ""
            axis = f"<axis><xyz{named}>{_numbers(e / np.linalg.norm(e))}</xyz></axis>"
            made.joints.append(f"{prefix}{joint}")
        pose = _pose(rng, known) if rng.random() < 0.7 else ""
        out.append(
            f'<joint name="{joint}" type="{kind}">{pose}<parent>{parent}</parent><child>{child}</child>{axis}</joint>'
        )
    placement = f' placement_frame="{rng.choice(known)}"' if rng.random() < 0.4 and not is_top else ""
    pose = _pose(rng, [])
    return f'<model name="{name}"{placement}>{pose}{"".join(nested)}{"".join(out)}</model>'


# --- A slow resolver: everything is looked up anew, by the rules as the specification has them


@dataclass
class Scope:
    """A model and where it stands in the whole, found once."""

    model: ET.Element
    prefix: str
    M: np.ndarray
    """Pose of its frame in the world."""


def slow_poses(text: str, values: dict[str, float]) -> dict[str, np.ndarray]:
    """Return the poses (4, 4) in the world of all links and frames, by their names in the whole, joints moved.

    All stands as at zero first; then the joints move what is behind them, those nearest the ends first.
    """
    top = ET.fromstring(text).find("model")
    scopes = list(_scopes(top, "", _own_pose(top)))
    places, owner = {}, {}
    for scope in scopes:
        for item in (*scope.model.findall("link"), *scope.model.findall("frame")):
            name = item.get("name")
            places[scope.prefix + name] = scope.M @ pose_in(scope.model, name)
            owner[scope.prefix + name] = scope.prefix + link_of(scope.model, name)
    joints = []
    for scope in scopes:
        for joint in scope.model.findall("joint"):
            ends = [joint.find(tag).text for tag in ("parent", "child")]
            parent, child = ("world" if end == "world" else scope.prefix + link_of(scope.model, end) for end in ends)
            joints.append((scope, joint, parent, child))
    holds = {child: parent for _, _, parent, child in joints}
    for scope, joint, _, child in sorted(joints, key=lambda each: -len(_way(each[3], holds))):
        value = values.get(scope.prefix + joint.get("name"), 0.0)
        if joint.get("type") == "fixed":
            continue
        step = _step(scope, joint, value)
        for name, link in owner.items():
            if child in _way(link, holds):
                places[name] = step @ places[name]
    return places


def _way(link: str, holds: dict[str, str]) -> list[str]:
    """Return a link and those that it hangs on, one after another."""
    way = [link]
    while way[-1] in holds:
        way.append(holds[way[-1]])
    return way


def _step(scope: Scope, joint: ET.Element, value: float) -> np.ndarray:
    """Return what a joint does to what is behind it, in the world."""
    M = scope.M @ joint_pose(scope.model, joint)
    xyz = joint.find("axis/xyz")
    named = xyz.get("expressed_in")
    R = (scope.M @ pose_in(scope.model, named) if named else M)[:3, :3]
    e_W = R @ np.array([float(x) for x in xyz.text.split()])
    step = np.eye(4)
    if joint.get("type") == "prismatic":
        step[:3, 3] = value * e_W
    else:
        step[:3, :3] = Rotation.from_rotvec(value * e_W).as_matrix()
        step[:3, 3] = M[:3, 3] - step[:3, :3] @ M[:3, 3]
    return step


def _scopes(model: ET.Element, prefix: str, M: np.ndarray):
    yield Scope(model, prefix, M)
    for inner in model.findall("model"):
        yield from _scopes(inner, f"{prefix}{inner.get('name')}::", M @ pose_in(model, inner.get("name")))


def _own_pose(item: ET.Element) -> np.ndarray:
    """Return the matrix of what stands in <pose>."""
    pose, M = item.find("pose"), np.eye(4)
    if pose is None:
        return M
    numbers = [float(word) for word in pose.text.split()]
    M[:3, 3] = numbers[:3]
    if pose.get("rotation_format") == "quat_xyzw":
        M[:3, :3] = Rotation.from_quat(numbers[3:]).as_matrix()
    else:
        M[:3, :3] = Rotation.from_euler("xyz", numbers[3:], degrees=pose.get("degrees") == "true").as_matrix()
    return M


def _named(model: ET.Element, name: str) -> ET.Element:
    return next(item for item in model if item.get("name") == name and item.tag in ("link", "frame", "joint", "model"))


def pose_in(model: ET.Element, name: str) -> np.ndarray:
    """Return the pose of a name in the frame of a model."""
    if name == "__model__":
        return np.eye(4)
    if "::" in name:
        head, _, rest = name.partition("::")
        return pose_in(model, head) @ pose_in(_named(model, head), rest)
    item = _named(model, name)
    if item.tag == "joint":
        return joint_pose(model, item)
    pose = item.find("pose")
    base = (None if pose is None else pose.get("relative_to")) or item.get("attached_to") or "__model__"
    M = pose_in(model, base) @ _own_pose(item)
    if item.tag == "model" and item.get("placement_frame"):
        M = M @ np.linalg.inv(pose_in(item, item.get("placement_frame")))
    return M


def joint_pose(model: ET.Element, joint: ET.Element) -> np.ndarray:
    """Return the pose of a joint: in its child unless it names another frame."""
    pose = joint.find("pose")
    base = (None if pose is None else pose.get("relative_to")) or joint.find("child").text
    return pose_in(model, base) @ _own_pose(joint)


def link_of(model: ET.Element, name: str) -> str:
    """Return the link that a frame moves with."""
    if name == "__model__":
        return model.find("link").get("name")
    if "::" in name:
        head, _, rest = name.partition("::")
        return f"{head}::{link_of(_named(model, head), rest)}"
    item = _named(model, name)
    if item.tag == "link":
        return name
    if item.tag == "model":
        return f"{name}::{link_of(item, '__model__')}"
    if item.tag == "joint":
        return link_of(model, item.find("child").text)
    return link_of(model, item.get("attached_to") or "__model__")
