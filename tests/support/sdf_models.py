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


def slow_poses(text: str, values: dict[str, float]) -> dict[str, np.ndarray]:
    """Return the poses (4, 4) in the world of all links and frames, by their names in the whole, joints moved."""
    model = ET.fromstring(text).find("model")
    at_zero = {name: model_pose(model, None) @ M for name, M in everything(model, "")}
    moved = dict(at_zero)
    for name, joint, holder, prefix in joints_of(model, ""):
        value = values.get(name, 0.0)
        below = behind(model, prefix + link_of(holder, joint.find("child").text))
        if joint.get("type") == "fixed" or not value:
            continue
        M = model_pose(model, None) @ whole(model, prefix) @ joint_pose(holder, joint)
        xyz = joint.find("axis/xyz")
        e = np.array([float(x) for x in xyz.text.split()])
        if xyz.get("expressed_in"):
            R = (model_pose(model, None) @ whole(model, prefix) @ pose_of(holder, xyz.get("expressed_in")))[:3, :3]
        else:
            R = M[:3, :3]
        e_W = R @ e
        step = np.eye(4)
        if joint.get("type") == "prismatic":
            step[:3, 3] = value * e_W
        else:
            step[:3, :3] = Rotation.from_rotvec(value * e_W).as_matrix()
            step[:3, 3] = M[:3, 3] - step[:3, :3] @ M[:3, 3]
        for each in below:
            steps.setdefault(each, []).append((depth_of(model, name), step)) if False else None
        moved = _moved(moved, below, step, model)
    return moved


steps: dict = {}
