"""Edits that answer a question: its number, curve, arrow or sentence is added to the scene or removed.

A question is a signal with its frames and unit. Numbers and sentences are cards over the picture, curves are plots, and
arrows are those of sensors. An arrow is the same in all axes, so the resolving frame of a question does not matter
for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from framescope.core.scene.edits.base import Edit, with_item, without_item
from framescope.core.scene.edits.items import new_name, taken_names
from framescope.core.scene.edits.new_items import arrow_length
from framescope.core.scene.edits.plots import CurveKey, add_plot, remove_curve, shown_of, signals_of
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sensors import AbsoluteSensor, RelativeSensor
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.view import Answer, AnswerForm, Plot, PlottedSignal

Form = Literal["number", "curve", "arrow", "sentence"]
"""Form of an answer."""

FORMS: tuple[Form, ...] = ("number", "curve", "arrow", "sentence")

MAX_CARDS = 12
"""Largest number of numbers and sentences over the picture."""

ARROW_LETTERS: Mapping[str, str] = {
    "specific force": "s",
    "velocity": "v",
    "acceleration": "a",
    "angular velocity": "w",
    "angular acceleration": "z",
}
"""Letters of the quantities that a sensor draws as arrows, by signal; first the one that an accelerometer measures."""

_ARROW_UNITS: Mapping[str, str] = {"v": "m/s", "a": "m/s²", "w": "rad/s", "z": "rad/s²", "s": "m/s²"}
"""SI units of the vectors that a sensor draws as arrows."""

ArrowLengths = Mapping[str, Quantity]
"""Lengths of a sensor's arrows, by letter."""

_ASKED = ("signal", "of", "relative_to", "resolved_in", "through", "delay", "sequence")
"""Keys of a signal that make it another question. Components are a part of its answer, and the unit a form of it."""


def is_same_question(one: PlottedSignal, other: PlottedSignal) -> bool:
    """Return whether two signals ask the same, whatever their units and components are.

    >>> keys = {"of": "rotor", "relative_to": "world", "resolved_in": "rotor", "unit": "deg/s"}
    >>> spin = PlottedSignal(signal="angular velocity", **keys)
    >>> is_same_question(spin, spin.model_copy(update={"unit": "rad/s"}))
    True
    """
    return all(getattr(one, key) == getattr(other, key) for key in _ASKED)


def forms_given(scene: Scene, question: PlottedSignal) -> frozenset[Form]:
    """Return the forms in which a scene answers a question.

    A number or sentence of the whole vector is no answer to a question about its magnitude. An arrow is the vector.
    """
    forms: set[Form] = {card.form for card in scene.view.answers if _has_same_parts(card, question, scene)}
    if any(True for _ in _curves(scene, question)):
        forms.add("curve")
    if _arrow(scene, question) is not None:
        forms.add("arrow")
    return frozenset(forms)


def can_be_arrow(question: PlottedSignal) -> bool:
    """Return whether a sensor can draw the answer as an arrow."""
    return question.signal in ARROW_LETTERS and question.through is None and question.of not in (None, WORLD)


def give_answer(question: PlottedSignal, form: Form, largest: float = math.nan) -> Edit:
    """Return the edit that answers a question.

    Parameters
    ----------
    question
        A signal with its frames and unit.
    form
        Form of the answer.
    largest
        Largest magnitude over time, in SI units, by which the length of an arrow is chosen.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"rotor": {"parent": "world"}}})
    >>> keys = {"of": "rotor", "relative_to": "world", "resolved_in": "rotor", "unit": "deg/s"}
    >>> spin = PlottedSignal(signal="angular velocity", **keys)
    >>> for form in FORMS:
    ...     scene = give_answer(spin, form, 2.0).apply(scene)
    >>> forms_given(scene, spin) == set(FORMS), scene.sensors["rotor"].arrows.w
    (True, Quantity(value=0.2, unit='m per rad/s'))
    """
    if form == "curve":
        return add_plot(Plot.model_validate(question.model_dump(exclude_unset=True)))
    if form == "arrow":
        return Edit(f"Added an arrow of the {_words(question)}", lambda scene: _with_arrow(scene, question, largest))
    return Edit(f"Added a {form} of the {_words(question)}", lambda scene: _with_card(scene, question, form))


def remove_answer(question: PlottedSignal, form: Form) -> Edit:
    """Return the edit that removes the answer to a question in a form, wherever the scene shows it."""
    removals: Mapping[Form, Callable[[Scene], Scene]] = {
        "curve": lambda scene: _without_curves(scene, question),
        "arrow": lambda scene: _without_arrow(scene, question),
    }
    remove = removals.get(form, lambda scene: _without_card(scene, question, form))
    return Edit(f"Removed the {form} of the {_words(question)}", remove)


def _words(question: PlottedSignal) -> str:
    return f"{question.signal} of {question.of}" if question.of else question.signal


def question_of_sensor(scene: Scene, name: str) -> PlottedSignal | None:
    """Return the question that the first arrow of a sensor answers; None without an arrow."""
    sensor = scene.sensors.get(name)
    if not isinstance(sensor, AbsoluteSensor | RelativeSensor):
        return None
    signal = next((signal for signal, letter in ARROW_LETTERS.items() if getattr(sensor.arrows, letter, None)), None)
    if signal is None:
        return None
    kind = signal_named(signal)
    of, relative_to = _ends(sensor)
    frames = {"relative_to": relative_to, "resolved_in": resolving_frame(sensor)}
    keys = {key: frames[key] for key in kind.frames}
    return PlottedSignal.model_validate({"signal": signal, "of": of, "unit": kind.unit, **keys})


# --- Cards


def _with_card(scene: Scene, question: PlottedSignal, form: AnswerForm) -> Scene:
    if len(scene.view.answers) >= MAX_CARDS:
        raise ValueError(f"a scene shows at most {MAX_CARDS} numbers and sentences. Remove one first")
    card = Answer.model_validate({**question.model_dump(exclude_unset=True), "form": form})
    return _with_cards(scene, (*scene.view.answers, card))


def _without_card(scene: Scene, question: PlottedSignal, form: Form) -> Scene:
    rest = (card for card in scene.view.answers if card.form != form or not _has_same_parts(card, question, scene))
    return _with_cards(scene, tuple(rest))


def _has_same_parts(card: Answer, question: PlottedSignal, scene: Scene) -> bool:
    """Return whether a card answers a question with the components that it asks for."""
    return is_same_question(card, question) and set(shown_of(card, scene)) == set(shown_of(question, scene))


def _with_cards(scene: Scene, cards: tuple[Answer, ...]) -> Scene:
    return scene.model_copy(update={"view": scene.view.model_copy(update={"answers": cards})})


# --- Curves


def _curves(scene: Scene, question: PlottedSignal) -> Iterator[tuple[int, CurveKey]]:
    """Yield plot and key of each curve that answers a question, or a component of it."""
    for i_plot, plot in enumerate(scene.view.plots):
        for i_signal, signal in enumerate(signals_of(plot)):
            if is_same_question(signal, question):
                asked = shown_of(question, scene)
                yield from ((i_plot, CurveKey(i_signal, part)) for part in shown_of(signal, scene) if part in asked)


def _without_curves(scene: Scene, question: PlottedSignal) -> Scene:
    while (first := next(_curves(scene, question), None)) is not None:
        i_plot, key = first
        scene = remove_curve(i_plot, key, "").apply(scene)
    return scene


# --- Arrows


def _ends(sensor: AbsoluteSensor | RelativeSensor) -> tuple[str, str]:
    """Return the measured frame and the frame that it is measured from."""
    return (sensor.frame_a, WORLD) if isinstance(sensor, AbsoluteSensor) else (sensor.frame_b, sensor.frame_a)


def resolving_frame(sensor: AbsoluteSensor | RelativeSensor) -> str:
    """Return the frame in whose axes a sensor gives its components."""
    if isinstance(sensor, RelativeSensor):
        return sensor.resolve_in or sensor.frame_a
    return sensor.frame_a if sensor.resolve_in_frame_a else sensor.frame_resolve or WORLD


def with_resolving_frame(sensor: AbsoluteSensor | RelativeSensor, name: str) -> AbsoluteSensor | RelativeSensor:
    """Return a sensor that gives its components in axes of another frame.

    >>> gyro = AbsoluteSensor(frame_a="imu", get_w=True)
    >>> resolving_frame(gyro), with_resolving_frame(gyro, "imu").resolve_in_frame_a
    ('world', True)
    """
    keys = sensor.model_dump(exclude_unset=True, exclude={"resolve_in", "resolve_in_frame_a", "frame_resolve"})
    if isinstance(sensor, RelativeSensor):
        return RelativeSensor.model_validate(keys | ({} if name == sensor.frame_a else {"resolve_in": name}))
    return AbsoluteSensor.model_validate(keys | _axes_of_absolute(sensor.frame_a, name))


def _arrow(scene: Scene, question: PlottedSignal) -> tuple[str, AbsoluteSensor | RelativeSensor] | None:
    """Return name and item of the first sensor whose arrow answers a question."""
    letter = ARROW_LETTERS.get(question.signal)
    if letter is None or question.through is not None:
        return None
    for name, sensor in scene.sensors.items():
        if not isinstance(sensor, AbsoluteSensor | RelativeSensor) or not sensor.animation:
            continue
        asked = question.of, question.relative_to or WORLD
        if _ends(sensor) == asked and getattr(sensor.arrows, letter, None) is not None:
            return name, sensor
    return None


def _with_arrow(scene: Scene, question: PlottedSignal, largest: float) -> Scene:
    if not can_be_arrow(question):
        raise ValueError(f"{question.signal} has no arrow. Show it as a number or a curve")
    letter, of, relative_to = ARROW_LETTERS[question.signal], question.of or "", question.relative_to or WORLD
    arrows = {letter: _arrow_length(scene, letter, largest)}
    if relative_to == WORLD:
        sensor: AbsoluteSensor | RelativeSensor = _absolute_sensor(of, letter, question.resolved_in, arrows)
        stem = of
    else:
        sensor = _relative_sensor(of, relative_to, letter, question.resolved_in, arrows)
        stem = f"{of} in {relative_to}"
    return with_item(scene, "sensors", new_name(taken_names(scene, "sensors"), stem), sensor)


def _absolute_sensor(of: str, letter: str, resolved_in: str | None, arrows: ArrowLengths) -> AbsoluteSensor:
    """Return the sensor of a quantity of a frame in the world, resolved in itself, the world or another frame."""
    keys: dict[str, object] = {"frame_a": of, "get_r": False, f"get_{letter}": True, "arrows": arrows}
    return AbsoluteSensor.model_validate(keys | _axes_of_absolute(of, resolved_in or WORLD))


def _axes_of_absolute(of: str, resolved_in: str) -> dict[str, object]:
    """Return the keys by which a sensor of a frame in the world gives its components in axes of a frame."""
    if resolved_in == of:
        return {"resolve_in_frame_a": True}
    return {} if resolved_in == WORLD else {"frame_resolve": resolved_in}


def _relative_sensor(
    of: str, relative_to: str, letter: str, resolved_in: str | None, arrows: ArrowLengths
) -> RelativeSensor:
    """Return the sensor of a quantity of a frame relative to another, resolved in this or a third frame."""
    keys: dict[str, object] = {"frame_a": relative_to, "frame_b": of, "get_r_rel": False, f"get_{letter}_rel": True}
    if resolved_in != relative_to:
        keys["resolve_in"] = resolved_in
    return RelativeSensor.model_validate({**keys, "arrows": arrows})


def _arrow_length(scene: Scene, letter: str, largest: float) -> Quantity:
    """Return the length of an arrow per unit: that of other arrows of the quantity, else one by its largest value."""
    others = (sensor.arrows for sensor in scene.sensors.values() if isinstance(sensor, AbsoluteSensor | RelativeSensor))
    same = next((length for arrows in others if (length := getattr(arrows, letter, None)) is not None), None)
    if same is not None:  # arrows of one quantity can be compared
        return same
    return arrow_length(scene, _ARROW_UNITS[letter], largest)


def _without_arrow(scene: Scene, question: PlottedSignal) -> Scene:
    while (found := _arrow(scene, question)) is not None:
        name, sensor = found
        letter = ARROW_LETTERS[question.signal]
        others = {key: length for key, length in sensor.arrows if key != letter and length is not None}
        if others or _is_plotted(scene, name):
            arrows = type(sensor.arrows).model_validate(others)
            scene = with_item(scene, "sensors", name, sensor.model_copy(update={"arrows": arrows}))
        else:
            scene = without_item(scene, "sensors", name)
    return scene


def _is_plotted(scene: Scene, name: str) -> bool:
    signals = (signal for plot in scene.view.plots for signal in (plot, *plot.also))
    return any(signal.signal == "sensor" and signal.of == name for signal in (*signals, *scene.view.answers))
