"""Models of COLMAP and files of nerfstudio with known camera centres, written by hand, and slow readers of them.

Nothing here uses the program's own readers and writers.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

Array = np.ndarray

CAMERA = (3, "OPENCV", 640, 480, (510.25, 508.5, 321.5, 239.75, 0.011, -0.0225, 0.0005, -0.00125))
"""Number, model, size and parameters of the camera of all images."""


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """Truth of a reconstruction.

    Attributes
    ----------
    names
        Names of the images (n).
    centers : (n, 3)
        Centres of the cameras in the world, m.
    R_WC : (n, 3, 3)
        Axes of the cameras (right, down, forward) as columns, in the world.
    points, colors : (m, 3)
        Points in the world, and their colours from 0 to 255.
    """

    names: tuple[str, ...]
    centers: Array
    R_WC: Array
    points: Array
    colors: Array


def circle(n: int = 12, n_points: int = 40, radius: float = 4.0, name: str = "frame_{:04}.jpg") -> Reconstruction:
    """Return cameras on a circle around the z axis, at a height of 1 m, that look at the origin with z up."""
    angles = 2.0 * np.pi * np.arange(n) / n
    centers = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.ones(n)], axis=-1)
    forward = -centers / np.linalg.norm(centers, axis=1, keepdims=True)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    R_WC = np.stack([right, np.cross(forward, right), forward], axis=-1)
    random = np.random.default_rng(7)
    points = random.normal(size=(n_points, 3)) * (1.0, 1.0, 0.4)
    colors = np.clip(128 + 60 * points, 0, 255).astype(np.uint8)
    return Reconstruction(tuple(name.format(k + 1) for k in range(n)), centers, R_WC, points, colors)


def poses_of(truth: Reconstruction) -> Array:
    """Return quaternions w, x, y, z and positions of the world in the cameras (n, 7)."""
    R_CW = np.swapaxes(truth.R_WC, 1, 2)
    x, y, z, w = Rotation.from_matrix(R_CW).as_quat().T
    t = -np.einsum("nij,nj->ni", R_CW, truth.centers)
    return np.concatenate([np.stack([w, x, y, z], axis=-1), t], axis=1)


def cameras_txt(camera: tuple[Any, ...] = CAMERA) -> str:
    """Return a text of cameras as COLMAP writes it."""
    number, model, width, height, parameters = camera
    head = "# Camera list with one line of data per camera:\n#   CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n"
    return f"{head}# Number of cameras: 1\n{number} {model} {width} {height} {' '.join(map(repr, parameters))}\n"


def images_txt(truth: Reconstruction, points: str = "some", camera: int = 3) -> str:
    """Return a text of images; `points` is ``"some"``, ``"empty"`` or ``"absent"``: their second lines."""
    lines = ["# Image list with two lines of data per image:"]
    lines += ["#   IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME", "#   POINTS2D[] as (X, Y, POINT3D_ID)"]
    for k, (row, name) in enumerate(zip(poses_of(truth).tolist(), truth.names, strict=True)):
        if k == 2:
            lines.append("# a comment in the middle")
        lines.append(f"{k + 1} {' '.join(map(repr, row))} {camera} {name}")
        if points == "some":
            lines.append(" ".join(f"{31 * j % 640} {17.25 * j:.2f} {j - 1}" for j in range(3 + 40 * (k % 3))))
        elif points == "empty":
            lines.append("")
    return "\n".join(lines) + "\n"


def points_txt(truth: Reconstruction) -> str:
    """Return a text of points with tracks of several lengths."""
    lines = ["# 3D point list with one line of data per point:", "#   POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[]"]
    for k, (p, color) in enumerate(zip(truth.points.tolist(), truth.colors.tolist(), strict=True)):
        track = " ".join(f"{j + 1} {k + j}" for j in range(2 + k % 5))
        lines.append(f"{10 * k + 1} {' '.join(map(repr, p))} {' '.join(map(str, color))} 0.5 {track}")
    return "\n".join(lines) + "\n"


def cameras_bin(camera: tuple[Any, ...] = CAMERA, model: int = 4) -> bytes:
    """Return cameras in binary; `model` is the number of the model."""
    number, _, width, height, parameters = camera
    return struct.pack(f"<QIiQQ{len(parameters)}d", 1, number, model, width, height, *parameters)


def images_bin(truth: Reconstruction, camera: int = 3) -> bytes:
    """Return images in binary, some of them with points."""
    parts = [struct.pack("<Q", len(truth.names))]
    for k, (row, name) in enumerate(zip(poses_of(truth).tolist(), truth.names, strict=True)):
        parts += [struct.pack("<I7dI", k + 1, *row, camera), name.encode(), b"\0", struct.pack("<Q", k % 3)]
        parts += [struct.pack("<ddq", 10.0 * j, 20.0, -1) for j in range(k % 3)]
    return b"".join(parts)


def points_bin(truth: Reconstruction) -> bytes:
    """Return points in binary with tracks of several lengths."""
    parts = [struct.pack("<Q", len(truth.points))]
    for k, (p, color) in enumerate(zip(truth.points.tolist(), truth.colors.tolist(), strict=True)):
        parts.append(struct.pack("<Q3d3BdQ", 10 * k + 1, *p, *color, 0.5, 2 + k % 5))
        parts += [struct.pack("<II", j + 1, k + j) for j in range(2 + k % 5)]
    return b"".join(parts)


def write_colmap(folder: Path, truth: Reconstruction, *, is_binary: bool = False, points: str = "some") -> Path:
    """Write a model into a folder, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if is_binary:
        files = {"cameras.bin": cameras_bin(), "images.bin": images_bin(truth), "points3D.bin": points_bin(truth)}
    else:
        texts = {
            "cameras.txt": cameras_txt(),
            "images.txt": images_txt(truth, points),
            "points3D.txt": points_txt(truth),
        }
        files = {name: text.encode() for name, text in texts.items()}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def transforms(truth: Reconstruction, **more: Any) -> dict[str, Any]:
    """Return the content of ``transforms.json`` with further entries: axes of OpenGL, y up and z back."""
    frames = []
    for name, center, R in zip(truth.names, truth.centers.tolist(), truth.R_WC.tolist(), strict=True):
        rows = [[row[0], -row[1], -row[2], p] for row, p in zip(R, center, strict=True)]
        frames.append({"file_path": f"./images/{name}", "transform_matrix": [*rows, [0.0, 0.0, 0.0, 1.0]]})
    lens = {"w": 640, "h": 480, "fl_x": 510.25, "fl_y": 508.5, "cx": 321.5, "cy": 239.75}
    return {**lens, **more, "frames": frames}


def transforms_json(truth: Reconstruction, **more: Any) -> bytes:
    """Return the text of ``transforms.json``."""
    return json.dumps(transforms(truth, **more), indent=2).encode()


# --- Slow readers


def slow_cameras(data: bytes) -> list[tuple[Any, ...]]:
    """Read cameras in binary with models of up to eight parameters, one after the other."""
    counts = {0: 3, 1: 4, 2: 4, 3: 5, 4: 8, 5: 8, 6: 12}
    (n,), at, cameras = struct.unpack_from("<Q", data), 8, []
    for _ in range(n):
        number, model, width, height = struct.unpack_from("<IiQQ", data, at)
        parameters = struct.unpack_from(f"<{counts[model]}d", data, at + 24)
        cameras.append((number, model, width, height, parameters))
        at += 24 + 8 * counts[model]
    assert at == len(data)
    return cameras


def slow_images(data: bytes) -> list[tuple[Any, ...]]:
    """Read images in binary one after the other: number, pose, camera, name, number of points."""
    (n,), at, images = struct.unpack_from("<Q", data), 8, []
    for _ in range(n):
        number, *pose, camera = struct.unpack_from("<I7dI", data, at)
        at += 64
        name = b""
        while data[at : at + 1] != b"\0":
            name += data[at : at + 1]
            at += 1
        (count,) = struct.unpack_from("<Q", data, at + 1)
        at += 9 + 24 * count
        images.append((number, pose, camera, name.decode(), count))
    assert at == len(data)
    return images


def slow_points(data: bytes) -> list[tuple[Any, ...]]:
    """Read points in binary one after the other: number, position, colour."""
    (n,), at, points = struct.unpack_from("<Q", data), 8, []
    for _ in range(n):
        number, x, y, z, r, g, b, _, count = struct.unpack_from("<Q3d3BdQ", data, at)
        at += 51 + 8 * count
        points.append((number, (x, y, z), (r, g, b)))
    assert at == len(data)
    return points


def write_drive(folder: Path, n_points: int = 500_000, n_poses: int = 2_000, n_cameras: int = 12) -> Path:
    """Write a scene of a rig of cameras that drives around a cloud of points; return its file."""
    random = np.random.default_rng(1)
    t = np.arange(n_poses) / 20.0
    angles = 2.0 * np.pi * t / t[-1]
    centers = np.stack([4.0 * np.cos(angles), 4.0 * np.sin(angles), 1.0 + 0.2 * np.sin(3.0 * angles)], axis=-1)
    rows = np.column_stack([t, centers, Rotation.from_euler("z", angles[:, np.newaxis]).as_quat()])
    np.savetxt(folder / "drive.tum", rows, fmt="%.9f")
    numbers = {**dict.fromkeys("xyz", "<f4"), **dict.fromkeys(("red", "green", "blue"), "u1")}
    cloud = np.zeros(n_points, dtype=list(numbers.items()))
    for axis, size in zip("xyz", (1.5, 1.5, 0.5), strict=True):
        cloud[axis] = size * random.normal(size=n_points)
    for color in ("red", "green", "blue"):
        cloud[color] = random.integers(0, 256, n_points)
    kinds = {"<f4": "float", "u1": "uchar"}
    properties = "".join(f"property {kinds[kind]} {name}\n" for name, kind in numbers.items())
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {n_points}\n{properties}end_header\n"
    (folder / "cloud.ply").write_bytes(head.encode() + cloud.tobytes())
    lines = ["framescope: 1", f"time: {{start: 0 s, end: {float(t[-1])!r} s}}", "frames:"]
    lines.append("  rig: {parent: world, motion: {form: recorded, file: drive.tum, format: tum}}")
    bodies = ["bodies:", "  cloud: {frame: world, color: own, shape: {form: points, file: cloud.ply, unit: m}}"]
    lens = "resolution: [640, 480], focal_lengths: [400, 400], principal_point: [320, 240], depth: 20 cm"
    for k in range(n_cameras):
        way = 360.0 * k / n_cameras
        x, y = 0.3 * np.cos(np.radians(way)), 0.3 * np.sin(np.radians(way))
        turn = f"{{form: axes, sequence: ZYX, angles: [{way - 90.0}, 0, -90], unit: deg}}"
        lines.append(
            f"  cam{k}: {{parent: rig, position: {{value: [{x:.4f}, {y:.4f}, 0], unit: m}}, orientation: {turn}}}"
        )
        bodies.append(f"  lens {k}: {{frame: cam{k}, shape: {{form: camera, {lens}}}}}")
    view = "view: {trails: [{frame: rig}], triad_length: 0.2 m}"
    path = folder / "drive.yaml"
    path.write_text("\n".join([*lines, *bodies, view, ""]), "utf-8")
    return path
