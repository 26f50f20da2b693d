"""How items of a scene are named in the window: an icon and a word or two."""

from __future__ import annotations

from framescope.core.scene import poses
from framescope.core.scene.bodies import Body
from framescope.core.scene.model import Frame

ItemKey = tuple[str, str]
"""Kind and name of an item, such as ``("frames", "camera")``; the empty string twice is no item."""

NO_ITEM: ItemKey = ("", "")

EQUATIONS = {"dcm": "DCM", "quaternion": "quaternion"}
METHODS = {
    "euler": "explicit Euler",
    "rk4": "RK4",
    "exponential": "exponential",
    "munthe-kaas-4": "Munthe-Kaas 4",
    "magnus-4": "Magnus 4",
    "magnus-6": "Magnus 6",
}


def frame_icon(frame: Frame) -> str:
    """Return the name of the icon for a frame."""
    if frame.motion is not None:
        return "video"
    if isinstance(frame.orientation, poses.Integrated):
        return "rotate-3d"
    return "anchor" if frame_kind(frame) == "fixed" else "axis-3d"


def frame_kind(frame: Frame) -> str:
    """Return a word or two on what gives the frame its pose."""
    if frame.motion is not None:
        return "recorded"
    match frame.orientation:
        case None:
            return "moving" if frame.position is not None and _has_expression(frame.position.value) else "fixed"
        case poses.Integrated():
            return "integrated"
        case poses.Axes(sequence=sequence, angles=angles):
            return f"{sequence} of t" if _has_expression(angles) else sequence
        case poses.Planar(angle=angle) | poses.Axis(angle=angle):
            return "one axis of t" if isinstance(angle, str) else "one axis"
        case poses.QuaternionForm():
            return "quaternion"
        case poses.MatrixForm():
            return "matrix"
        case _:
            return "two directions"


def integration_text(form: poses.Integrated) -> str:
    """Return how an orientation is integrated: ``integrated DCM, RK4, 50 ms``."""
    return f"integrated {EQUATIONS[form.equation]}, {METHODS[form.method]}, {form.step}"


def body_icon(body: Body) -> str:
    """Return the name of the icon for a body."""
    return "camera" if body.shape.form == "frustum" else "box"


def body_kind(body: Body) -> str:
    """Return the word for a body's shape."""
    return body.shape.form


def _has_expression(signals: tuple[float | str, ...]) -> bool:
    return any(isinstance(signal, str) for signal in signals)
