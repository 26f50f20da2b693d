"""Parser of signals as text, as on the command line: ``velocity of tip relative to world resolved in arm in mm/s``."""

from __future__ import annotations

import re

from framescope.core.errors import FramescopeError, ItemError, did_you_mean
from framescope.core.evaluation.compile.plots import CompiledPlot, compile_plot
from framescope.core.evaluation.delayed_frames import NOW
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.quantities import UNITS, meant_unit
from framescope.core.scene.schema.signal_kinds import all_signals, signal_named
from framescope.core.scene.schema.signals import FRAMES, units_of
from framescope.core.scene.schema.view import PlottedSignal

_NAME = r'(?:"(?P<{0}_quoted>[^"]+)"|(?P<{0}>.+?))'

_TIMES = "|".join(UNITS["time"])

_LOOK = re.compile(r'look of (?P<name>"[^"]+"|.+?)(?P<rest>(?: (?:relative to|in) .*)?)\Z')


class SignalTextError(FramescopeError):
    """Error of a text that is not a signal of the scene; the message states the reason and a valid form."""


def parse_signal(text: str, scene: Scene) -> CompiledPlot:
    """Return the signal that a text describes, see `parse_question`, compiled.

    Raises
    ------
    SignalTextError
        When the text is not a signal of the scene.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> parse_signal("angles of arm relative to world by ZYX in deg", scene).sequence
    'ZYX'
    """
    return _parse(text, scene)[1]


def parse_question(text: str, scene: Scene) -> PlottedSignal:
    """Return the signal that a text describes, as it is written in a scene; in its usual unit if the text names none.

    Parameters
    ----------
    text
        ``KIND of NAME relative to FRAME resolved in FRAME by SEQUENCE in UNIT``, without the parts that the kind does
        not need. ``in axes of`` means the same as ``resolved in``. A name that contains such words is put in double
        quotes. A direction or quaternion may be ``in FRAME`` instead of relative to it, and ``look of NAME`` is the
        direction of the axis along which a frame looks, see `with_look_axis`. Before the unit, ``through FRAME 0.2 s
        before`` (or after) selects the earlier pose of the frame, seen through a frame that counts as fixed meanwhile.
        The other frames keep their present pose, and ``now`` may follow their names. Components may follow, such as
        ``: x, norm``, and angles to wrap into half a turn, such as ``(wrapped: angle 1)``.
    scene
        Scene with the named items.

    Raises
    ------
    SignalTextError
        When the text is not a signal of the scene.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> parse_question("angular velocity of arm relative to world in axes of arm", scene).unit
    'deg/s'
    >>> parse_question("residues of x", scene)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    framescope.core.evaluation.signal_parser.SignalTextError: residues of x: there is no frame "x". Use one of: ...
    """
    return _parse(text, scene, has_usual_unit=True)[0]


def with_look_axis(text: str, scene: Scene) -> str:
    """Return a text that asks for the look of a frame with the axis that is meant; other texts stay.

    A frame with *optical* in its name, or with a field of view along its z axis, looks along z. Any other frame looks
    along x, as a body does (REP 103).

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "body": {"parent": "world"}, "cam_optical": {"parent": "body"}}})
    >>> with_look_axis("look of cam_optical in body", scene), with_look_axis("look of body", scene)
    ('direction of z of cam_optical in body', 'direction of x of body')
    """
    match = _LOOK.match(text)
    if match is None:
        return text
    name = match["name"].strip('"')
    bodies = (body for body in scene.bodies.values() if body.frame == name and body.orientation is None)
    is_camera = "optical" in name.lower() or any(body.shape.form in ("frustum", "camera") for body in bodies)
    return f"direction of {'z' if is_camera else 'x'} of {match['name']}{match['rest']}"


def _parse(text: str, scene: Scene, *, has_usual_unit: bool = False) -> tuple[PlottedSignal, CompiledPlot]:
    """Return the signal that a text describes, as it is written and as it is compiled."""
    message = with_look_axis(" ".join(text.split()), scene)
    names = all_signals()
    starts = [name for name in names if f"{message} ".startswith(f"{name} ")]
    if not starts:
        first = message.partition(" of ")[0]
        raise SignalTextError(f'"{first}" is no signal. {did_you_mean(first, names)}')
    signal = starts[0]
    # A unit follows "in", too; so only a signal without units may be in a frame.
    relative_to = "relative to" if units_of(signal) or "resolved_in" in names[signal].frames else "(?:relative to|in)"
    units = "|".join(re.escape(unit) for unit in sorted(units_of(signal), key=len, reverse=True))
    pattern = (
        re.escape(signal)
        + rf"(?: of {_NAME.format('of')})?(?: {relative_to} {_NAME.format('relative_to')}(?P<relative_to_now>{NOW})?)?"
        + rf"(?: (?:resolved in|in axes of) {_NAME.format('resolved_in')}(?P<resolved_in_now>{NOW})?)?"
        + rf"(?: through {_NAME.format('through')} (?P<delay>-?[0-9.e+-]+ ?(?:{_TIMES})) (?P<way>before|after))?"
        + r"(?: by (?P<sequence>[A-Za-z]{3}))?"
        + (rf"(?: in (?P<unit>{units}))?" if units else "(?P<unit>(?!))?")
        + r"(?:: (?P<components>[^:()]+?))?(?: \(wrapped: (?P<wrapped>[^:()]+)\))?"
        + r"\Z"
    )
    match = re.match(pattern, message)
    if match is None:
        raise SignalTextError(f"{message}: expected {signal} of … relative to … resolved in … in a unit.")
    parts = match.groupdict()
    index = {name: i for i, name in enumerate((WORLD, *scene.frames))}
    names = {key: parts[f"{key}_quoted"] or parts[key] for key in (*FRAMES, "through")}
    for key in ("relative_to", "resolved_in"):
        is_word = bool(parts["delay"]) and names[key] in index
        if parts[f"{key}_now"] and not is_word:  # now is part of the frame's name
            names[key] += NOW
    curves = {"components": _split_list(parts["components"]) or None, "wrapped": _split_list(parts["wrapped"])}
    if parts["delay"]:
        curves |= {"delay": _delay(message, parts["delay"], parts["way"])}
    unit = parts["unit"] or (signal_named(signal).unit if has_usual_unit and units else None)
    keys = {"signal": signal, **names, "sequence": parts["sequence"], "unit": unit, **curves}
    plot = PlottedSignal.model_validate(keys)
    _check_names(message, signal, [name for name in names.values() if name and name not in index])
    try:
        return plot, compile_plot(plot, scene, index)
    except ItemError as problem:
        raise SignalTextError(f"{message}: {problem.message} {problem.hint}".strip()) from None


def _check_names(message: str, signal: str, unknown: list[str]) -> None:
    """Raise a `SignalTextError` for names of no frame that end with an incomplete delay or a misspelt unit."""
    for name in unknown:
        if " through " in name:
            through = name.partition(" through ")[2]
            raise SignalTextError(f"{message}: say how long before, as in: through {through} 0.2 s before.")
        written = name.rpartition(" in ")[2]
        if written != name and (meant := meant_unit(written, units_of(signal))):
            dimension = signal_named(signal).dimension
            raise SignalTextError(f'{message}: "{written}" is no unit of {dimension}. Did you mean "{meant}"?')


def _delay(message: str, text: str, way: str) -> str:
    """Return the delay of a frame as text; negative for a later time."""
    if text.startswith("-"):
        other = "after" if way == "before" else "before"
        raise SignalTextError(f"{message}: {text} {way} is meant as {text[1:]} {other}, is it? Say so.")
    return text if way == "before" else f"-{text}"


def _split_list(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if text else ()
