"""Names of orientation forms, for the form of a frame and for conversions."""

from __future__ import annotations

from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, conversions
from framescope.core.scene.schema.model import Frame
from framescope.core.scene.schema.motions import Simulated

CODE_NAMES = {
    "scipy": "scipy",
    "numpy": "numpy",
    "ros-tf2": "ROS tf2, C++",
    "modelica": "Modelica",
    "julia": "Julia",
    "eigen": "Eigen, C++",
    "matlab": "MATLAB",
    "static-transform": "static_transform_publisher, ROS 2",
    "urdf-origin": "origin, URDF",
    "numpy-pose": "pose 4×4, numpy",
}
"""Names of the targets of code. The last three include the position."""


def kind_text(kind: str) -> str:
    """Return the name of a kind of form within a sentence.

    >>> kind_text("axes:ZYX"), kind_text("quaternion:xyzw")
    ('three angles ZYX', 'quaternion x y z w')
    """
    name = conversions()[kind]
    return name[0].lower() + name[1:]


def authored_text(frame: Frame) -> str:
    """Return a short description of the authored orientation form of a frame."""
    form, motion = frame.orientation, frame.motion
    text = "no rotation" if form is None else ORIENTATION_KINDS.of(form).text(form)
    if isinstance(motion, Simulated):
        return f"simulated like {motion.like}" if motion.like else f"start: {text}"
    return text if motion is None else motion.form
