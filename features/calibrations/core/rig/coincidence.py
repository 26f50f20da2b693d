"""Questions whether frames of several files are the same, judged by names and by the poses between the frames."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.calibrations.core.calibration import Edge, nearest_orthogonal
from framescope.features.calibrations.core.rig.adjustment import rotation_vectors
from framescope.features.calibrations.core.rig.graph import neighbours
from framescope.features.calibrations.core.rig.names import (
    MOST_QUESTIONS,
    NameQuestion,
    are_alike,
    name_questions,
)

SAME_NAME = (5.0, 30e-3)
"""Angle, degrees, and distance, m, up to which frames of like names coincide."""

SAME_KIND = (2.0, 10e-3)
"""The same for names that differ in a number or a side, such as ``cam0`` and ``camera1``."""

ANY_NAME = (0.1, 1e-3)
"""The same for any other two names."""

MOST_FRAMES = 1000
"""Largest number of frames among which those that coincide are sought."""


def same_frame_questions(
    frames_by_file: Mapping[str, Sequence[str]], edges: Sequence[Edge]
) -> tuple[NameQuestion, ...]:
    """Return the pairs of frames of different files that may be the same, those that the poses put together first.

    A pair of like names that the poses put apart is left out if one of the two coincides with another frame.

    Examples
    --------
    >>> from framescope.core.transform import Transform
    >>> here, there = Transform(np.eye(3), np.zeros(3)), Transform(np.eye(3), [1.0, 0.0, 0.0])
    >>> edges = [Edge("imu", "cam0", here, "T"), Edge("imu", "cam1", there, "T"), Edge("imu", "camera1", here, "T")]
    >>> [q.names for q in same_frame_questions({"a": ("cam0", "cam1", "imu"), "b": ("imu", "camera1")}, edges)]
    [('cam0', 'camera1')]
    """
    if len(frames_by_file) < 2:
        return ()
    places = _places(edges)
    named = name_questions(frames_by_file)
    near = tuple(_coinciding(frames_by_file, places, {question.names for question in named}))
    together = {name for question in near for name in question.names}
    others: list[NameQuestion] = []
    for question in named:
        apart = _apart(places, *question.names)
        if apart is None:
            others.append(question)
        elif not _is_within(apart, SAME_NAME) and together.isdisjoint(question.names):
            others.append(replace(question, apart=apart, is_contradicted=True))
    return (*near, *others)[:MOST_QUESTIONS]


def _coinciding(
    frames_by_file: Mapping[str, Sequence[str]], places: Mapping[str, _Place], like: set[tuple[str, str]]
) -> Iterator[NameQuestion]:
    """Yield the pairs of frames that the poses put together, the nearest first, each frame once for a file."""
    files: dict[str, list[str]] = {}
    for file, names in frames_by_file.items():
        for name in names:
            files.setdefault(name, []).append(file)
    names = [name for name in files if name in places][:MOST_FRAMES]
    p = np.array([places[name][2] for name in names]).reshape(-1, 3)
    group = np.array([places[name][0] for name in names])
    found: list[tuple[float, NameQuestion]] = []
    for i, first in enumerate(names):
        distances = np.linalg.norm(p[i + 1 :] - p[i], axis=1)
        for k in np.flatnonzero((distances <= SAME_NAME[1]) & (group[i + 1 :] == group[i])).tolist():
            second = names[i + 1 + k]
            apart = _apart(places, first, second)
            if apart is None or not set(files[first]).isdisjoint(files[second]):
                continue
            most = SAME_NAME if (first, second) in like else SAME_KIND if are_alike(first, second) else ANY_NAME
            if _is_within(apart, most):
                question = NameQuestion((first, second), (files[first][0], files[second][0]), apart)
                found.append((apart[0] / ANY_NAME[0] + apart[1] / ANY_NAME[1], question))
    taken: set[tuple[str, str]] = set()
    for _, question in sorted(found, key=lambda one: (max(one[0], 1.0), one[1].names not in like)):
        first, second = question.names
        pairs = {(first, file) for file in files[second]} | {(second, file) for file in files[first]}
        if taken.isdisjoint(pairs):
            taken |= pairs
            yield question


_Place = tuple[int, Array, Array]
"""Number of a group of connected frames, and the pose in its first frame: rotation and position, m."""


def _places(edges: Sequence[Edge]) -> dict[str, _Place]:
    """Return the places of all frames, each by a way of few poses."""
    near = neighbours([(edge.parent, edge.child) for edge in edges])
    poses = [edge.X_PC for edge in edges]
    rotations = [nearest_orthogonal(X.R_AB)[0] for X in poses]
    places: dict[str, _Place] = {}
    for n, root in enumerate(near):
        if root in places:
            continue
        places[root] = n, np.eye(3), np.zeros(3)
        waiting = [root]
        for name in waiting:
            _, R, p = places[name]
            for other, (edge, is_down) in near[name]:
                if other in places:
                    continue
                R_edge, p_edge = rotations[edge], poses[edge].p_AB
                if not is_down:
                    R_edge, p_edge = R_edge.T, -R_edge.T @ p_edge
                places[other] = n, R @ R_edge, p + R @ p_edge
                waiting.append(other)
    return places


def _apart(places: Mapping[str, _Place], first: str, second: str) -> tuple[float, float] | None:
    """Return angle, degrees, and distance, m, between two frames; None if no poses connect them."""
    a, b = places.get(first), places.get(second)
    if a is None or b is None or a[0] != b[0]:
        return None
    angle = float(np.linalg.norm(rotation_vectors(a[1].T @ b[1])))
    return math.degrees(angle), float(np.linalg.norm(b[2] - a[2]))


def _is_within(apart: tuple[float, float], most: tuple[float, float]) -> bool:
    return apart[0] <= most[0] and apart[1] <= most[1]
