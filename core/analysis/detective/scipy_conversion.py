"""A finding as code for scipy, whose rotations do the arithmetic."""

from __future__ import annotations

import numpy as np

from framescope.core.analysis.detective.code_dialects import number
from framescope.core.analysis.detective.hypotheses import Hypothesis
from framescope.core.analysis.detective.interpretations import Interpretation


def scipy_lines(h: Hypothesis) -> list[str]:
    """Return the lines of a function of many rows."""
    lines = ["import numpy as np", "from scipy.spatial.transform import Rotation", "", "", "def b_from_a(a):"]
    lines.append('    """Return rows of b (n, k) of rows of a (n, l)."""')
    lines.append("    a = np.atleast_2d(np.asarray(a, dtype=float))")
    lines.append(f"    r = {_scipy_read(h.reading_a)}")
    if h.is_inverse:
        lines.append("    r = r.inv()")
    for name, M, fmt in (("L", h.left.T, "L * r"), ("R", h.right.T, "r * R")):
        if not np.allclose(M, np.eye(3)):
            proper = M if np.linalg.det(M) > 0 else -M  # mirrors of both sides cancel
            rows = ", ".join("[" + ", ".join(number(value) for value in row) + "]" for row in proper)
            lines += [f"    {name} = Rotation.from_matrix([{rows}])", f"    r = {fmt}"]
    return [*lines, f"    return {_scipy_write(h.reading_b)}"]


def _scipy_read(reading: Interpretation) -> str:
    degrees = ", degrees=True" if reading.unit == "deg" else ""
    match reading.kind:
        case "quaternion":
            return "Rotation.from_quat(a)" if reading.choice == "xyzw" else "Rotation.from_quat(a[:, [1, 2, 3, 0]])"
        case "matrix":
            return "Rotation.from_matrix(a.reshape(-1, 3, 3))"
        case "rotation vector":
            return f"Rotation.from_rotvec(a{degrees})"
        case "axis and angle":
            axis, angle = ("a[:, :3]", "a[:, 3:]") if reading.choice == "xyz angle" else ("a[:, 1:]", "a[:, :1]")
            return f"Rotation.from_rotvec({axis} / np.linalg.norm({axis}, axis=1, keepdims=True) * {angle}{degrees})"
        case _:
            return f'Rotation.from_euler("{reading.choice}", a{degrees})'


def _scipy_write(reading: Interpretation) -> str:
    degrees = "degrees=True" if reading.unit == "deg" else ""
    match reading.kind:
        case "quaternion":
            return "r.as_quat()" if reading.choice == "xyzw" else "r.as_quat()[:, [3, 0, 1, 2]]"
        case "matrix":
            return "r.as_matrix().reshape(-1, 9)"
        case "rotation vector":
            return f"r.as_rotvec({degrees})"
        case "axis and angle":
            angle = "np.degrees(r.magnitude())" if degrees else "r.magnitude()"
            axis = "r.as_rotvec() / np.maximum(r.magnitude(), 1e-300)[:, None]"
            parts = [f"{axis}", f"{angle}[:, None]"]
            return f"np.hstack([{', '.join(parts if reading.choice == 'xyz angle' else parts[::-1])}])"
        case _:
            return f'r.as_euler("{reading.choice}"{", " + degrees if degrees else ""})'
