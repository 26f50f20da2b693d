"""Fine meshes for tests, as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def bumpy(path: Path, n: int = 60) -> None:
    """Write a closed surface of about 2 n² triangles: a ball with bumps."""
    theta, phi = np.meshgrid(np.linspace(0.0, np.pi, n + 1), np.linspace(0.0, 2.0 * np.pi, n + 1), indexing="ij")
    r = 0.1 * (1.0 + 0.2 * np.sin(3.0 * phi) * np.sin(theta) ** 2)
    points = np.stack([r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    triangles = np.concatenate([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)]).reshape(-1, 3, 3)
    facets = np.zeros(len(triangles), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    facets["v"] = triangles
    path.write_bytes(b"\0" * 80 + np.uint32(len(facets)).tobytes() + facets.tobytes())
