"""How items of a scene are named in the window: an icon and a word or two."""

from __future__ import annotations

from framescope.core.evaluation.frame_traces import CONTINUOUS_RULE
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.model import Frame, ItemKey, Scene
from framescope.core.scene.schema.points import Element
from framescope.core.scene.schema.sensors import RelativeSensor, Sensor

SEVERITIES = {"red": ("octagon-x", "red"), "amber": ("triangle-alert", "amber"), "note": ("info", "quiet")}
"""Icon and colour of each severity of a problem."""

BRANCH_TEXTS = (
    "the second angle within ±90°, or from 0° to 180° where the first axis comes again",
    "the other three angles of the same orientation",
    CONTINUOUS_RULE,
)
"""What *branch 1*, *branch 2* and the *continuous* angles are."""

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
    if isinstance(frame.motion, motions.Recorded):
        return "video"
    if isinstance(frame.orientation, poses.Integrated):
        return "rotate-3d"
    return "anchor" if frame_kind(frame) == "fixed" else "axis-3d"


def frame_kind(frame: Frame) -> str:
    """Return a word or two on what gives the frame its pose."""
    match frame.motion:
        case motions.Recorded():
            return "recorded"
        case motions.Keyframes():
            return "keyframes"
        case motions.Simulated():
            return "simulated"
        case None:
            return _authored_kind(frame)


def _authored_kind(frame: Frame) -> str:
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


def motion_text(frame: Frame) -> str:
    """Return what moves a frame as a whole, in a few words; empty when nothing does."""
    match frame.motion:
        case motions.Recorded(file=file):
            return f"recorded in {file}"
        case motions.Keyframes(keys=keys, interpolation=interpolation):
            return f"{len(keys)} keyframe{'s' * (len(keys) != 1)}, {interpolation}"
        case motions.Simulated(model=model, like=like):
            angles = "finite angles" if model == "finite" else "small angles"
            return f"simulated, {angles}" + (f", like {like}" if like else "")
        case None:
            return ""


def frame_of(scene: Scene, key: ItemKey) -> str:
    """Return the frame that an item is or hangs on; empty when there is none."""
    kind, name = key
    match kind:
        case "frames":
            return name
        case "bodies" if name in scene.bodies:
            return scene.bodies[name].frame
        case "points" if name in scene.points:
            return frame_of(scene, ("bodies", scene.points[name].body))
        case "elements" if name in scene.elements:
            return frame_of(scene, ("points", scene.elements[name].point))
        case "sensors" if name in scene.sensors:
            return sensor_frame(scene.sensors[name])
        case "measured" if name in scene.measured:
            return scene.measured[name].of
        case _:
            return ""


def integration_text(form: poses.Integrated) -> str:
    """Return how an orientation is integrated: ``integrated DCM, RK4, 50 ms``."""
    return f"integrated {EQUATIONS[form.equation]}, {METHODS[form.method]}, {form.step}"


def unit_text(unit: str) -> str:
    """Return a unit of a scene as the window writes it.

    >>> unit_text("deg/s2"), unit_text("mm")
    ('°/s²', 'mm')
    """
    return unit.replace("deg", "°").replace("s2", "s²").replace("m2", "m²")


def angle_letters(sequence: str) -> tuple[str, str, str]:
    """Return the names of three angles with the axes they turn about.

    >>> angle_letters("ZXZ")
    ('α z', 'β x′', 'γ z″')
    """
    x, y, z = sequence.lower()
    return f"α {x}", f"β {y}′", f"γ {z}″"


def measure_name(sequence: str) -> str:
    """Return what says how near an axis sequence is to its lock, 1 being the lock.

    >>> measure_name("XYZ"), measure_name("ZXZ")
    ('|sin β|', '|cos β|')
    """
    return "|cos β|" if sequence[0] == sequence[2] else "|sin β|"


def element_text(element: Element) -> str:
    """Return what an element acts on: its force is that on the body at its first point."""
    return f"on {element.point}, from {element.to or 'ground'}"


def body_icon(body: Body) -> str:
    """Return the name of the icon for a body."""
    return "camera" if body.shape.form == "frustum" else "box"


def body_kind(body: Body) -> str:
    """Return the word for a body's shape."""
    return body.shape.form


def element_icon(element: Element) -> str:
    """Return the name of the icon for an element."""
    return {"spring": "link", "force": "corner-down-right", "velocity": "gauge"}[element.form]


def sensor_frame(sensor: Sensor) -> str:
    """Return the frame whose motion a sensor measures."""
    return sensor.frame_b if isinstance(sensor, RelativeSensor) else sensor.frame_a


def sentence(said: object) -> str:
    """Return what an error says, to stand alone.

    >>> sentence(ValueError("the world keeps its name"))
    'The world keeps its name'
    """
    text = str(said)
    return text[:1].upper() + text[1:]


def _has_expression(signals: tuple[float | str, ...]) -> bool:
    return any(isinstance(signal, str) for signal in signals)
