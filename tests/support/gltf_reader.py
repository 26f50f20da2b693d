"""A plain reader of the animation of a GLB file, as the specification of glTF 2.0 has it, at any time."""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np
import pygltflib


def channels(file: pygltflib.GLTF2) -> list[tuple[int, str, str, np.ndarray, np.ndarray]]:
    """Return node, path, interpolation, times and values of each channel of the animation."""
    blob = file.binary_blob()

    def numbers(place: int) -> np.ndarray:
        accessor = file.accessors[place]
        view = file.bufferViews[accessor.bufferView]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
        data = blob[view.byteOffset : view.byteOffset + view.byteLength]
        return np.frombuffer(data, dtype=np.float32).reshape(accessor.count, width)

    found = []
    for animation in file.animations[:1]:
        for channel in animation.channels:
            sampler = animation.samplers[channel.sampler]
            ends = numbers(sampler.input)[:, 0].astype(float), numbers(sampler.output).astype(float)
            found.append((channel.target.node, channel.target.path, sampler.interpolation, *ends))
    return found


def value_at(path: str, interpolation: str, times: np.ndarray, values: np.ndarray, t: float, *, is_plain=False):
    """Return the value of a channel, s from the start; quaternions along the great circle, or mixed plainly."""
    if t <= times[0] or t >= times[-1]:
        return values[0 if t <= times[0] else -1]
    k = bisect_right(times, t) - 1
    if interpolation == "STEP":
        return values[k]
    assert interpolation == "LINEAR"
    a, b, f = values[k], values[k + 1], (t - times[k]) / (times[k + 1] - times[k])
    if path != "rotation":
        return a + f * (b - a)
    d = float(a @ b)
    if is_plain or abs(d) > 1.0 - 1e-12:
        mixed = a + f * (math.copysign(1.0, d) * b - a)
        return mixed / np.linalg.norm(mixed)
    angle = math.acos(abs(d))
    mixed = math.sin(angle * (1 - f)) * a + math.copysign(1.0, d) * math.sin(angle * f) * b
    return mixed / math.sin(angle)


def set_to(file: pygltflib.GLTF2, t: float, **options) -> None:
    """Give all nodes the values of a time, s from the start."""
    for node, path, interpolation, times, values in file.read_channels:
        setattr(file.nodes[node], path, list(value_at(path, interpolation, times, values, t, **options)))


def opened(path) -> pygltflib.GLTF2:
    """Return a file with its channels read."""
    file = pygltflib.GLTF2().load(str(path))
    file.read_channels = channels(file)
    return file


def matrices(file: pygltflib.GLTF2) -> dict[str, np.ndarray]:
    """Return where each named node is, with y up, from the values that the nodes have; in double precision."""
    found: dict[str, np.ndarray] = {}

    def visit(place: int, above: np.ndarray) -> None:
        node = file.nodes[place]
        here = above @ _matrix(node)
        found.setdefault(node.name, here)
        for child in node.children or ():
            visit(child, here)

    for place in file.scenes[file.scene].nodes:
        visit(place, np.eye(4))
    return found


def _matrix(node) -> np.ndarray:
    x, y, z, w = node.rotation or (0.0, 0.0, 0.0, 1.0)
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    found = np.eye(4)
    found[:3, :3] = R * np.array(node.scale or (1.0, 1.0, 1.0))
    found[:3, 3] = node.translation or (0.0, 0.0, 0.0)
    return found
