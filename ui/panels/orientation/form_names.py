"""The forms an orientation can be authored in, in words: what a frame has, and what it can be converted into."""

from __future__ import annotations

from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.model import Frame

KINDS = {
    "quaternion:xyzw": "Quaternion x y z w",
    "quaternion:wxyz": "Quaternion w x y z",
    "matrix": "Matrix",
    "planar": "One angle about an axis",
    "nxy": "Two directions, x and y",
    "nxz": "Two directions, x and z",
}
"""What there is besides three angles."""

CODE_NAMES = {
    "scipy": "scipy",
    "numpy": "numpy",
    "ros-tf2": "ROS tf2, C++",
    "modelica": "Modelica",
    "julia": "Julia",
    "eigen": "Eigen, C++",
    "matlab": "MATLAB",
}


def kind_text(kind: str) -> str:
    """Return what a kind is called in a sentence.

    >>> kind_text("axes:ZYX"), kind_text("quaternion:xyzw")
    ('three angles ZYX', 'quaternion x y z w')
    """
    if kind.startswith("axes:"):
        return f"three angles {kind[5:]}"
    name = KINDS[kind]
    return name[0].lower() + name[1:]


def authored_text(frame: Frame) -> str:
    """Return in what form the orientation of a frame is authored, in a few words."""
    match frame.motion:
        case motions.Recorded():
            return "recorded"
        case motions.Keyframes():
            return "keyframes"
        case motions.Simulated(like=str(other)):
            return f"simulated like {other}"
        case _:
            start = "start: " if isinstance(frame.motion, motions.Simulated) else ""
            return start + _form_text(frame.orientation)


def _form_text(form: poses.OrientationForm | None) -> str:
    match form:
        case None:
            return "not turned"
        case poses.Axes():
            return f"three angles {form.sequence}, {form.unit or 'no unit'}"
        case poses.Axis():
            return f"one angle about {form.axis}, {form.unit or 'no unit'}"
        case poses.Planar():
            return f"one angle about an axis, {form.unit or 'no unit'}"
        case poses.QuaternionForm():
            return f"quaternion {' '.join(form.order or 'without order')}" if form.order else "quaternion"
        case poses.MatrixForm():
            return f"matrix, {form.maps or 'no direction'}"
        case poses.NxNy():
            return "directions x and y"
        case poses.NxNz():
            return "directions x and z"
        case poses.Integrated():
            return "integrated"
