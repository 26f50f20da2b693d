"""Checks of the unit of positions: metres that look like millimetres."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from framescope.core.errors import Problem, visible_text
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.robots.core.unit_checks import is_far

_SITES = frozenset({"world", "map", "odom", "earth", "utm", "enu", "ecef", "site"})
"""Words in names of frames whose children may be far away."""


def length_problems(edges: Sequence[Edge], lines: Mapping[str, int] | None = None) -> Iterator[Problem]:
    """Yield problems of positions that look like millimetres, with the lines of their entries.

    >>> from framescope.core.transform import Transform
    >>> X = Transform(np.eye(3), np.array([100.0, 0.0, 200.0]))
    >>> [problem.message for problem in length_problems([Edge("base", "radar", X, "line 3")])]
    ['radar is 223.6 m from base, which looks like millimetres.']
    """
    distances = np.array([np.linalg.norm(edge.X_file.p_AB) for edge in edges])
    for k, edge in enumerate(edges):
        others = np.delete(distances, k)
        others = others[others > 0.0]
        usual = float(np.median(others)) if others.size else math.inf
        words = {*re.split(r"[^a-z]+", f"{edge.parent} {edge.child}".lower())}
        if is_far(float(distances[k]), usual) and _SITES.isdisjoint(words):
            numbers = " ".join(f"{value / 1000.0 + 0.0:.6g}" for value in edge.X_file.p_AB)
            child, parent = visible_text(edge.child), visible_text(edge.parent)
            message = f"{child} is {distances[k]:.4g} m from {parent}, which looks like millimetres."
            hint = f"Lengths are in m: write {numbers} if millimetres are meant."
            line = (lines or {}).get(edge.entry)
            yield Problem((edge.entry,), message, hint, "amber", line, kind="millimetres")
