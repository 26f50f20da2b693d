"""Twins: a frame a second time beside itself, turned by another sequence from the same three angles.

The angles become parameters, so that one slider turns both: what differs between the two is the order alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from framescope.core.errors import RefusedError
from framescope.core.kernels.validation import as_sequence
from framescope.core.scene.edits.base import set_frame
from framescope.core.scene.edits.copies import duplicate_items
from framescope.core.scene.edits.items import ItemEdit, free_name, rename_item, taken_names
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.poses import Axes, Position
from framescope.core.scene.schema.quantities import unit_factor

Kept = Literal["axis", "place"]
"""What an angle of the twin has in common with the same one of the frame: the axis it is about, or its place."""

PARAMETERS = ("alpha", "beta", "gamma")
DECIMALS = 6


def why_no_twin(scene: Scene, name: str) -> str:
    """Return why a frame cannot have a twin, as a sentence; empty where it can."""
    frame = scene.frames.get(name)
    if frame is None or name == WORLD:
        return "Select a frame first, to compare it with another order"
    if frame.motion is not None:
        return f"{name} is moved as a whole, and not by three angles. Convert it to constant numbers first"
    if not isinstance(frame.orientation, Axes):
        return f"{name} is not turned by three angles. Convert its orientation to three angles first"
    if not _is_sequence(frame.orientation.sequence):
        return f"The sequence of {name} cannot be used. Choose one of the twelve first"
    return ""


def _is_sequence(text: str) -> bool:
    try:
        as_sequence(text)
    except ValueError:
        return False
    return True


def can_keep_axes(sequence: str, other: str) -> bool:
    """Return whether each angle can stay with its axis: where both sequences turn about three different ones.

    >>> can_keep_axes("ZYX", "XYZ"), can_keep_axes("ZYX", "ZXZ")
    (True, False)
    """
    return len(set(sequence)) == len(set(other)) == len(sequence)


def same_angles(sequence: str, other: str, kept: Kept) -> tuple[int, int, int]:
    """Return which angle of a sequence, 0 to 2, each of another one is.

    >>> same_angles("ZYX", "XYZ", "axis"), same_angles("ZYX", "XYZ", "place")
    ((2, 1, 0), (0, 1, 2))
    """
    if kept == "place" or not can_keep_axes(sequence, other):
        return 0, 1, 2
    first, second, third = (sequence.index(letter) for letter in other)
    return first, second, third


def add_twin(scene: Scene, name: str, sequence: str, kept: Kept, offset: Sequence[float]) -> ItemEdit:
    """Return the edit that adds the twin of a frame, with all that hangs on it, and gives both the same parameters.

    Parameters
    ----------
    scene, name
        The scene, and the frame in it.
    sequence
        By which the twin is turned.
    kept
        What its angles have in common with those of the frame; their place where an axis comes twice.
    offset : (3,)
        From the origin of the frame to that of the twin, resolved in their parent, m.

    Raises
    ------
    RefusedError
        Where `why_no_twin` says why, or the scene would become too large.

    Examples
    --------
    >>> turned = {"form": "axes", "sequence": "ZYX", "angles": [50, 28, 40], "unit": "deg"}
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"plane": {"parent": "world", "orientation": turned}}})
    >>> both = add_twin(scene, "plane", "XYZ", "axis", (0, 1, 0)).apply(scene)
    >>> both.parameters, both.frames["plane XYZ"].orientation.angles
    ({'alpha': 50.0, 'beta': 28.0, 'gamma': 40.0}, ('gamma', 'beta', 'alpha'))
    """
    why = why_no_twin(scene, name)
    if why:
        raise RefusedError(why)
    twin = free_name(taken_names(scene, "frames"), f"{name} {sequence}")

    def apply(scene: Scene) -> Scene:
        scene = _with_parameters(scene, name)
        copied = duplicate_items(scene, [("frames", name)])
        (_, copy), *_ = copied.keys
        grown = rename_item(copied.apply(scene), "frames", copy, twin).apply(copied.apply(scene))
        form = grown.frames[twin].orientation
        if not isinstance(form, Axes):  # it was taken back meanwhile
            raise RefusedError(why_no_twin(scene, name))
        angles = tuple(form.angles[k] for k in same_angles(form.sequence, sequence, kept))
        turned = form.model_copy(update={"sequence": sequence, "angles": angles})
        return set_frame(grown, twin, orientation=turned, position=_moved(grown.frames[twin].position, offset))

    apply(scene)
    return ItemEdit(f"Put {twin} beside {name}", apply, (("frames", twin),))


def _with_parameters(scene: Scene, name: str) -> Scene:
    """Return a scene whose constant angles of a frame are parameters."""
    form = scene.frames[name].orientation
    if not isinstance(form, Axes):
        raise RefusedError(why_no_twin(scene, name))
    parameters, angles = dict(scene.parameters), list(form.angles)
    for i, angle in enumerate(angles):
        if not isinstance(angle, str):
            angles[i] = word = _free_word(parameters, PARAMETERS[i])
            parameters[word] = angle
    scene = scene.model_copy(update={"parameters": FrozenDict(parameters)})
    return set_frame(scene, name, orientation=form.model_copy(update={"angles": tuple(angles)}))


def _free_word(taken: dict[str, float], word: str) -> str:
    """Return a word that no parameter has: names of parameters have no spaces."""
    number = 2
    found = word
    while found in taken:
        found, number = f"{word}_{number}", number + 1
    return found


def _moved(position: Position | None, offset: Sequence[float]) -> Position:
    if position is None:
        x, y, z = (round(float(part), DECIMALS) + 0.0 for part in offset)
        return Position(value=(x, y, z), unit="m")
    factor = unit_factor(position.unit, "length", ("position", "unit"))
    x, y, z = (
        _plus(value, round(float(part) / factor, DECIMALS)) for value, part in zip(position.value, offset, strict=True)
    )
    return position.model_copy(update={"value": (x, y, z)})


def _plus(value: float | str, part: float) -> float | str:
    if part == 0.0:
        return value
    return f"({value}) + {part:g}" if isinstance(value, str) else round(value + part, DECIMALS) + 0.0
