"""Names of a scene's items in the window: an icon and a word or two."""

from __future__ import annotations

from framescope.core.evaluation.frame_traces import CONTINUOUS_RULE
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, RPY, authored_angles
from framescope.core.scene.schema.model import ITEM_WORDS, Frame, ItemKey, Scene
from framescope.core.scene.schema.motions import Transforms
from framescope.core.scene.schema.points import Element
from framescope.core.scene.schema.references import item_of, owner_of
from framescope.core.scene.schema.sensors import RelativeSensor, Sensor

FRAME_ROLES = {"of": "of", "relative_to": "relative to", "resolved_in": "in axes of"}
"""Words of the window for the frames of a question, by key of a signal, in the order of a sentence."""

SEVERITIES = {"red": ("octagon-x", "red"), "amber": ("triangle-alert", "amber"), "note": ("info", "quiet")}
"""Icon and colour of each severity of a problem."""

BRANCH_TEXTS = (
    "the second angle within ±90°, or from 0° to 180° where the first axis comes again",
    "the other three angles of the same orientation",
    CONTINUOUS_RULE,
)
"""Explanations of *branch 1*, *branch 2* and the *continuous* angles."""

BY_FORMULA = "by formula"
"""Source of a pose with expressions of t."""

USUAL_METHOD = "rk4"
"""Method of integration that texts do not name."""

EQUATIONS = {"dcm": "matrix", "quaternion": "quaternion"}
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
    icon = "axis-3d" if frame.motion is None else MOTION_KINDS.of(frame.motion).icon
    if icon == "axis-3d" and frame.orientation is not None:
        return ORIENTATION_KINDS.of(frame.orientation).icon
    return "anchor" if frame_kind(frame) == "fixed" else icon


def frame_kind(frame: Frame) -> str:
    """Return the source of a frame's pose, in a word or two.

    >>> turn = {"form": "axis", "axis": "z", "angle": "90*t", "unit": "deg"}
    >>> frame_kind(Frame(parent="world")), frame_kind(Frame.model_validate({"parent": "world", "orientation": turn}))
    ('fixed', 'by formula')
    """
    form = frame.orientation
    n_parents = len({frame.parent, *(key.parent for key in frame.parent_keys), *_bag_parents(frame)})
    if n_parents > 1:
        return f"{n_parents} parents"
    if frame.motion is not None:
        return frame.motion.form
    if form is None:
        return BY_FORMULA if frame.position is not None and _has_expression(frame.position.value) else "fixed"
    return BY_FORMULA if _has_expression(authored_angles(form)) else ORIENTATION_KINDS.of(form).word(form)


def _bag_parents(frame: Frame) -> tuple[str, ...]:
    return tuple(parent.frame for parent in frame.motion.parents) if isinstance(frame.motion, Transforms) else ()


def motion_text(frame: Frame) -> str:
    """Return the motion of a frame as a whole, in a few words; empty without one."""
    return "" if frame.motion is None else MOTION_KINDS.of(frame.motion).text(frame.motion)


def frame_of(scene: Scene, key: ItemKey) -> str:
    """Return the frame that an item is or is attached to; empty if there is none."""
    above: ItemKey | None = key
    while above is not None and above[0] != "frames":
        item = item_of(scene, above)
        above = None if item is None else owner_of(item)
    return "" if above is None else above[1]


def integration_text(form: poses.Integrated) -> str:
    """Return the integration of an orientation in words: ``integrated as a matrix in steps of 50 ms``.

    The usual method is not named.
    """
    by = "" if form.method == USUAL_METHOD else f" by {METHODS[form.method]}"
    return f"integrated as a {EQUATIONS[form.equation]}{by} in steps of {form.step}"


def unit_text(unit: str) -> str:
    """Return a unit of a scene as displayed in the window.

    >>> unit_text("deg/s2"), unit_text("mm")
    ('°/s²', 'mm')
    """
    return unit.replace("deg", "°").replace("s2", "s²").replace("m2", "m²")


FLIGHT_NAMES = ("yaw", "pitch", "roll")
"""Names of the angles of the sequence ZYX, as aviation has them."""


RPY_LETTERS = ("φ", "θ", "ψ")
"""Letters of roll, pitch and yaw."""


def angle_letters(sequence: str) -> tuple[str, str, str]:
    """Return the names of three angles: with the names of aviation for ZYX, else with their rotation axes.

    >>> angle_letters("ZXZ"), angle_letters("ZYX")
    (('α z', 'β x′', 'γ z″'), ('α yaw', 'β pitch', 'γ roll'))
    """
    first, second, third = sequence.lower()
    of_alpha, of_beta, of_gamma = FLIGHT_NAMES if sequence == "ZYX" else (first, f"{second}′", f"{third}″")
    return f"α {of_alpha}", f"β {of_beta}", f"γ {of_gamma}"


def measure_name(sequence: str) -> str:
    """Return the name of the singularity measure of a `sequence_key`, which is 1 at its lock.

    >>> measure_name("XYZ"), measure_name("zxz"), measure_name("rpy")
    ('|sin β|', '|cos β|', '|sin θ|')
    """
    if sequence == RPY:
        return f"|sin {RPY_LETTERS[1]}|"
    return "|cos β|" if sequence[0] == sequence[2] else "|sin β|"


def element_text(element: Element) -> str:
    """Return the points on which an element acts: its force acts on the body at its first point."""
    return f"on {element.point}, from {element.to or 'ground'}"


def sensor_frame(sensor: Sensor) -> str:
    """Return the frame whose motion a sensor measures."""
    return sensor.frame_b if isinstance(sensor, RelativeSensor) else sensor.frame_a


def kind_and_name(kind: str, name: str) -> str:
    """Return the word for a kind of item before a name, unless the name begins with this word.

    >>> kind_and_name("frames", "arm"), kind_and_name("frames", "frame 1"), kind_and_name("points", "pointer")
    ('frame arm', 'frame 1', 'point pointer')
    """
    word = ITEM_WORDS[kind]
    has_word = name.lower().startswith(word) and not name[len(word) : len(word) + 1].isalpha()
    return name if has_word else f"{word} {name}"


def sentence(message: object) -> str:
    """Return the message of an error as a sentence of its own.

    >>> sentence(ValueError("the world keeps its name"))
    'The world keeps its name'
    """
    text = str(message)
    return text[:1].upper() + text[1:]


def _has_expression(signals: tuple[float | str, ...]) -> bool:
    return any(isinstance(signal, str) for signal in signals)


def is_by_formula(frame: Frame) -> bool:
    """Return whether position or orientation of a frame are formulas of t or integrated, without a motion."""
    form = frame.orientation
    angles = () if form is None else authored_angles(form)
    position = () if frame.position is None else frame.position.value
    return isinstance(form, poses.Integrated) or _has_expression((*position, *angles))
