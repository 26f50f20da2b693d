"""Choices of the question bar: items, the signals of each, and the recorded variables of the scene's tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property, partial

from PySide6.QtCore import QObject, Signal

from framescope.core.errors import counted
from framescope.core.evaluation.available_signals import (
    names_of_frame_signals,
    signal_of_frame,
    signals_of_item,
    signals_of_scene,
    usual_axes,
)
from framescope.core.evaluation.compile.recordings.variables import (
    NO_VARIABLES,
    FoundVariables,
    TableVariables,
    find_variables,
    names_tables,
    recorded_variables,
)
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_parser import SignalTextError, parse_question, with_look_axis
from framescope.core.scene.edits.plots import shown_of
from framescope.core.scene.schema.model import ITEM_KINDS, ITEM_WORDS, NO_ITEM, WORLD, ItemKey, Scene
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.scene.schema.signal_kinds import all_signals as all_kinds
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import components_of, sensed_quantities, units_of
from framescope.core.scene.schema.view import Plot, PlottedSignal
from framescope.ui.formatting.item_names import frame_of, unit_text
from framescope.ui.panels.relation.frame_combo import FrameNames
from framescope.ui.qt_support.thread_tasks import thread_task
from framescope.ui.widgets.name_field import Names, with_words

ALL_BODIES = "all simulated bodies"
"""Name of the sums over all simulated bodies among the items."""

MAX_SIGNALS = 400
"""Largest number of signals of all items in a list; more letters narrow the search."""

MAX_VARIABLES = 60
"""Largest number of variables in a list."""

RECORDED = "recorded values"
"""Name of the only quantity of a recorded variable."""

_MOST_QUOTED = 21
"""Largest number of letters of a typed text that a hint repeats."""

_KINDS = ("sensors", "points", "elements", "measured")
"""Kinds of items with signals besides frames; bodies move with their frames."""

_ICONS = {"sensors": "radar", "points": "crosshair", "elements": "link", "measured": "ruler", "": "gauge"}

_VARIABLE_ICON = "chart-line"


@dataclass(frozen=True)
class SignalChoice:
    """Signal in a list, with the words that a search matches, and a function that returns its plot."""

    item: str
    quantity: str
    detail: str
    make: Callable[[], Plot]
    key: ItemKey = NO_ITEM

    @property
    def text(self) -> str:
        """Text of the row in the list."""
        return "  ·  ".join(part for part in (self.item, self.quantity, self.detail) if part)

    @cached_property
    def folded(self) -> str:
        """Text without case, and words that mean the same."""
        return f"{self.text} {DISTANCE}".casefold() if self.quantity == "position" else self.text.casefold()

    @cached_property
    def plot(self) -> Plot:
        """The signal as a plot."""
        return self.make()


@dataclass(frozen=True)
class VariableChoice:
    """Variable of a recording in a list, with the words that a search matches."""

    table: TableVariables
    name: str

    @property
    def text(self) -> str:
        """Text of the row in the list."""
        unit = unit_text(self.table.unit(self.name))
        return "  ·  ".join(part for part in (self.name, unit, f"in {self.table.clock.file}") if part)

    @property
    def sensor(self) -> RecordedSensor:
        """Recorded sensor that shows the variable."""
        return self.table.sensor(self.name)


def signal_choices(scene: Scene, key: ItemKey) -> tuple[SignalChoice, ...]:
    """Return the signals of an item, each quantity once, with usual frames and unit; the most useful first.

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> [choice.quantity for choice in signal_choices(scene, ("frames", "b"))][:3]
    ['angular velocity', 'angles', 'position']
    """
    choices: dict[str, SignalChoice] = {}
    for choice in _choices_of_item(scene, key):
        choices.setdefault(choice.quantity, choice)
    return tuple(choices.values())


def all_signals(scene: Scene) -> tuple[SignalChoice, ...]:
    """Return every signal of a scene, item by item; bodies have the signals of their frames."""
    items = ((kind, name) for kind in ITEM_KINDS if kind != "bodies" for name in getattr(scene, kind))
    return tuple(choice for key in (("", ALL_BODIES), *items) for choice in _choices_of_item(scene, key))


def _choices_of_item(scene: Scene, key: ItemKey) -> Iterator[SignalChoice]:
    kind, name = key
    if kind == "frames" and name in scene.frames:
        for i, (signal, relative_to) in enumerate(names_of_frame_signals(scene, name)):
            yield SignalChoice(
                name, signal, _detail_of(kind, relative_to), partial(signal_of_frame, scene, name, i), key
            )
        return
    plots = signals_of_scene(scene) if key == ("", ALL_BODIES) else signals_of_item(scene, kind, name)
    for plot in plots:
        yield SignalChoice(name, *_words_of(scene, kind, plot), lambda plot=plot: plot, key)


def _detail_of(kind: str, relative_to: str | None) -> str:
    return f"relative to {relative_to}" if relative_to else kind[:-1]


def _words_of(scene: Scene, kind: str, plot: PlottedSignal) -> tuple[str, str]:
    """Return the quantity of a signal, and a detail such as its reference frame."""
    if plot.signal == "sensor":
        quantities = list(sensed_quantities(shown_of(plot, scene)))
        # The row of a whole sensor names no quantity, so that a search for a quantity finds its own row.
        quantity = "all that it measures" if len(quantities) > 1 else "".join(quantities)
        return quantity, "measured by a sensor"
    if plot.signal == "measured":
        return f"measured {scene.measured[plot.of or ''].form}", "measured"
    return plot.signal, _detail_of(kind, plot.relative_to)


def quantity_of(scene: Scene, question: PlottedSignal) -> str:
    """Return the name of the quantity that a question asks for; a sensor's is that of its components."""
    kind = signal_named(question.signal).item or ""
    return _words_of(scene, kind, question)[0]


def components_to_choose(scene: Scene, plot: PlottedSignal) -> tuple[str, ...]:
    """Return the components that the user can choose: all, or those of the asked quantity of a sensor.

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> components_to_choose(scene, Plot(signal="velocity", of="arm", relative_to="world", resolved_in="world"))
    ('x', 'y', 'z', 'norm')
    """
    every = components_of(plot, scene).every
    if plot.components is None:
        return every
    quantities = sensed_quantities(plot.components)
    return tuple(part for name, parts in sensed_quantities(every).items() if name in quantities for part in parts)


def written_signal(scene: Scene, text: str, frame: str) -> SignalChoice | None:
    """Return the signal that a typed sentence asks for; None if it is no such sentence.

    Parameters
    ----------
    text
        ``QUANTITY of FRAME relative to FRAME in axes of FRAME in UNIT``, or ``FRAME QUANTITY`` with the same end. Parts
        may be missing. ``from`` and ``in`` mean *relative to*, ``resolved in`` means *in axes of*, and ``distance`` is
        the magnitude of the position. ``look of FRAME`` is the direction of the axis along which it looks. Rows of the
        list and titles of plots are such sentences. So are the signals of the command line, see `parse_question`.
    frame
        Frame that is asked about if the sentence names none.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> written_signal(scene, "angular velocity relative to a", "b").text
    'b  ·  angular velocity  ·  relative to a'
    >>> written_signal(scene, "angles of a", "b").text, written_signal(scene, "a angles", "b").text
    ('a  ·  angles  ·  relative to world', 'a  ·  angles  ·  relative to world')
    >>> written_signal(scene, "direction of z of b in world", "").text, written_signal(scene, "look of b", "").text
    ('b  ·  direction of z  ·  relative to world', 'b  ·  direction of x  ·  relative to a')
    >>> written_signal(scene, "distance of b from world", "").text
    'b  ·  distance  ·  relative to world'
    >>> written_signal(scene, "b angular velocity in axes of world in rad/s", "").text
    'b  ·  angular velocity  ·  relative to a, in axes of world, in rad/s'
    """
    sentence = with_look_axis(" ".join(re.sub(r"[·,]", " ", text).split()), scene)
    for candidate in (sentence, _with_quantity_first(sentence, scene)):
        choice = _signal_of_frame(scene, candidate, frame)
        if choice is not None:
            return choice
    try:
        question = parse_question(" ".join(text.split()), scene)
    except SignalTextError:
        return None
    kind = signal_named(question.signal).item or ""
    plot = Plot.model_validate(question.model_dump(exclude_unset=True))
    quantity, detail = _words_of(scene, kind, plot)
    return SignalChoice(question.of or "", quantity, detail, partial(_itself, plot), (kind, question.of or ""))


DISTANCE = "distance"
"""Word for the magnitude of a position."""


def _quantity_at_start(text: str) -> str | None:
    """Return the quantity with which a text begins, if any."""
    return max(
        (name for name in (*all_kinds(), DISTANCE) if f"{text} ".lower().startswith(f"{name} ")), key=len, default=None
    )


def _with_quantity_first(sentence: str, scene: Scene) -> str:
    """Return ``QUANTITY of FRAME`` for ``FRAME QUANTITY``; other sentences stay."""
    for name in sorted(scene.frames, key=len, reverse=True):
        rest = sentence.removeprefix(f"{name} ")
        quantity = _quantity_at_start(rest) if rest != sentence else None
        if quantity is not None:
            return f"{quantity} of {name}{rest[len(quantity) :]}"
    return sentence


def _signal_of_frame(scene: Scene, sentence: str, frame: str) -> SignalChoice | None:
    """Return the signal of a frame that a sentence with its quantity first asks for; None if it is no such sentence."""
    quantity = _quantity_at_start(sentence)
    if quantity is None:
        return None
    signal = "position" if quantity == DISTANCE else quantity
    units = {unit_text(unit): unit for unit in units_of(signal)} | {unit: unit for unit in units_of(signal)}
    parts = re.fullmatch(_pattern_of(units), sentence[len(quantity) :])
    if parts is None:
        return None
    of, frames = parts["of"] or frame, {key: parts[key] for key in ("relative_to", "resolved_in") if parts[key]}
    keys = set(signal_named(signal).frames)
    if of not in scene.frames or not keys.issuperset(frames) or not {WORLD, *scene.frames}.issuperset(frames.values()):
        return None
    names = [name for name, _ in names_of_frame_signals(scene, of)]
    if signal not in names:
        return None
    plot = signal_of_frame(scene, of, names.index(signal))
    if "relative_to" in frames:
        plot = plot.model_copy(update={"relative_to": frames["relative_to"]})
        plot = plot.model_copy(update={"resolved_in": usual_axes(plot)})
    detail = [_detail_of("frames", plot.relative_to)]
    if frames.get("resolved_in", plot.resolved_in) != plot.resolved_in:
        plot = plot.model_copy(update={"resolved_in": frames["resolved_in"]})
        detail.append(f"in axes of {plot.resolved_in}")
    if "norm" in components_of(plot, scene).every and (parts["norm"] or quantity == DISTANCE):
        plot = plot.model_copy(update={"components": ("norm",)})
        detail += ["magnitude"] if quantity != DISTANCE else []
    if parts["unit"]:
        plot = plot.model_copy(update={"unit": units[parts["unit"]]})
        detail.append(f"in {parts['unit']}")
    return SignalChoice(of, quantity, ", ".join(detail), partial(_itself, plot), ("frames", of))


def _pattern_of(units: Iterable[str]) -> str:
    """Return the pattern of what follows the quantity of a sentence, with the units that may end it."""
    unit = "|".join(re.escape(unit) for unit in sorted(units, key=len, reverse=True)) or r"(?!)"
    axes = r"(?:resolved in|in (?:the )?axes of)"
    return (
        r"(?: (?:of )?(?!(?:relative to|from|in|resolved in|norm|magnitude) )(?P<of>.+?))?"
        rf"(?: (?:relative to|from|in (?!(?:the )?axes of |(?:{unit})\Z)) (?P<relative_to>.+?))?"
        rf"(?: {axes} (?P<resolved_in>.+?))?(?::? (?P<norm>norm|magnitude))?(?: (?:in )?(?P<unit>{unit}))?"
    )


def shortened(text: str) -> str:
    """Return a text that leaves room for what is said about it.

    >>> shortened("angular velocity of body relative to nobody"), shortened("bdy")
    ('angular velocity of…', 'bdy')
    """
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 1].strip()}…"


def _itself(plot: Plot) -> Plot:
    return plot


def found_by(choices: Sequence[SignalChoice], query: str) -> list[SignalChoice]:
    """Return the choices that contain all words of a query, best matches of item and quantity first.

    >>> choices = [SignalChoice("tip", kind, "", Plot) for kind in ("angular velocity", "velocity")]
    >>> [choice.quantity for choice in found_by(choices, "tip velo")]
    ['velocity', 'angular velocity']
    """
    words = query.casefold().split()
    matches = [choice for choice in choices if all(word in choice.folded for word in words)]
    return sorted(matches, key=lambda choice: _distance(choice, words))


def _distance(choice: SignalChoice, words: Sequence[str]) -> tuple[int, int, bool]:
    """Return how far a choice is from the words of a query: where these name items only, sensors are nearest."""
    names_item = not any(word in choice.quantity.casefold() for word in words)
    is_of_sensor = choice.key[0] == "sensors"
    return (
        _count_detail_words(choice, words),
        _count_missing_words(choice, words),
        names_item and not is_of_sensor,
    )


def _count_detail_words(choice: SignalChoice, words: Sequence[str]) -> int:
    """Count the words that match only the detail of a choice, such as its reference frame."""
    text = f"{choice.item} {choice.quantity}".casefold()
    return sum(word not in text for word in words)


def _count_missing_words(choice: SignalChoice, words: Sequence[str]) -> int:
    """Count the words of the quantity that the query lacks; 0 if it has none of them. The start of a word suffices."""
    of_quantity = [word for word in words if word not in choice.item.casefold()]
    quantity_words = choice.quantity.casefold().split()
    is_matched = [any(part.startswith(word) for word in of_quantity) for part in quantity_words]
    return is_matched.count(False) if any(is_matched) else 0


class RecordedVariables(QObject):
    """Variables of the tables that a scene names, read in a worker thread when a list is opened.

    Signals
    -------
    changed()
        Variables were read, or reading has begun.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan: Plan | None = None
        self._tables: tuple[TableVariables, ...] = ()
        self._columns_of_sensors: set[tuple[str, str]] = set()
        self._last: tuple[str, FoundVariables] | None = None
        self.is_reading = False
        """Whether tables are being read."""

    def set_plan(self, plan: Plan) -> None:
        """Use the tables of another plan, which are read when a list is next opened."""
        if self._plan is not None and plan.scene is self._plan.scene:
            self._plan = plan
            return
        self._plan, self._columns_of_sensors, self._last = plan, _columns_of_sensors(plan.scene), None
        if self._tables and not names_tables(plan.scene):
            self._tables = ()

    def has(self, variable: VariableChoice) -> bool:
        """Return whether the scene still names the table of a variable, as far as it has been read."""
        return variable.table.clock.file in {table.clock.file for table in self._tables}

    def read(self) -> None:
        """Read the names of the variables; a file is read again only when it has changed."""
        plan = self._plan
        if plan is None or self.is_reading or not names_tables(plan.scene):
            return
        self.is_reading = True
        thread_task(self, partial(recorded_variables, plan.scene, plan.context), self._take, holds_program=False)
        self.changed.emit()

    def find(self, text: str) -> FoundVariables:
        """Return the variables for a typed text, the nearest first."""
        if not self._tables:
            return NO_VARIABLES
        if self._last is None or self._last[0] != text:  # rows and note of a list need the same ones
            self._last = text, find_variables(self._tables, text, MAX_VARIABLES, self._columns_of_sensors)
        return self._last[1]

    def note_on(self, text: str) -> str:
        """Return a note about reading, or about variables beyond the list."""
        if self.is_reading:
            return "Reading the variables of recordings…"
        matches = self.find(text)
        n_more = matches.count - len(matches.nearest)
        if n_more <= 0:
            return ""
        of = matches.nearest[0][0].clock.file if len(self._tables) == 1 else f"{len(self._tables)} files"
        return f"And {counted(n_more, 'more variable')} of {of}. Type part of a name."

    def _take(self, done: Future[tuple[TableVariables, ...]]) -> None:
        self._tables, self._last, self.is_reading = done.result(), None, False
        self.changed.emit()


def _columns_of_sensors(scene: Scene) -> set[tuple[str, str]]:
    """Return file and column of each recorded sensor named like its only column: the list has the sensor instead."""
    sensors = ((name, item) for name, item in scene.sensors.items() if isinstance(item, RecordedSensor))
    return {(item.file, name) for name, item in sensors if item.values == (name,)}


class AskableNames(FrameNames):
    """Names of the items that have signals, and recorded variables.

    Frames come first, then other items with their kind where a frame has the name, then variables.
    """

    noun = "item"

    def __init__(self, variables: RecordedVariables, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._variables = variables
        variables.changed.connect(self.offers_changed)
        self._keys: dict[str, ItemKey] = {}
        self._items: tuple[tuple[str, ...], ...] = ()
        self._rows: dict[str, VariableChoice] = {}

    def set_plan(self, plan: Plan) -> None:
        """Use the items of another plan."""
        self._plan, scene = plan, plan.scene
        items = tuple(tuple(getattr(scene, kind)) for kind in ("frames", *_KINDS))
        if items == self._items:  # as at each move of a slider
            return
        self._items, self._keys = items, dict(_named_items(scene))
        self.set_names(tuple(self._keys))

    def icon_of(self, name: str) -> str:
        if name in self._rows:
            return _VARIABLE_ICON
        return self.icon_of_item(self._keys.get(name, ("frames", name)))

    def icon_of_item(self, key: ItemKey) -> str:
        """Return the name of the icon of an item."""
        kind, name = key
        return super().icon_of(name) if kind == "frames" else _ICONS[kind]

    def offers(self, text: str) -> Sequence[str]:
        items, variables = with_words(self.names, text), _rows_of(self._variables.find(text))
        self._rows |= variables
        return (*items, *variables)

    def note_on(self, text: str) -> str:
        return self._variables.note_on(text)

    def row_for(self, text: str, *, takes_first: bool = False) -> str | None:
        row = super().row_for(text, takes_first=takes_first)
        if row is None:  # a whole name is enough for a variable
            same = (row for row, choice in self._rows.items() if choice.name == text)
            row = next(same, None)
        return row

    def key_of(self, name: str) -> ItemKey | None:
        """Return the item with a name in the list."""
        return self._keys.get(name)

    def variable_of(self, name: str) -> VariableChoice | None:
        """Return the variable with a name in the list."""
        return self._rows.get(name)

    def name_of(self, key: ItemKey) -> str:
        """Return the name of an item in the list; empty if it is not there."""
        return next((name for name, other in self._keys.items() if other == key), "")


def _rows_of(matches: FoundVariables) -> dict[str, VariableChoice]:
    choices = (VariableChoice(table, name) for table, name in matches.nearest)
    return {choice.text: choice for choice in choices}


def _named_items(scene: Scene) -> Iterator[tuple[str, ItemKey]]:
    taken = {WORLD}
    for name in scene.frames:
        if name != WORLD:
            taken.add(name)
            yield name, ("frames", name)
    for kind in _KINDS:
        for name in getattr(scene, kind):
            if signals_of_item(scene, kind, name):
                shown = f"{name} ({ITEM_WORDS[kind]})" if name in taken else name
                taken.add(shown)
                yield shown, (kind, name)
    if signals_of_scene(scene):
        yield ALL_BODIES, ("", ALL_BODIES)


class SignalsOfScene:
    """All signals of a scene; those of an item come first."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @cached_property
    def _choices(self) -> tuple[SignalChoice, ...]:
        return all_signals(self.scene)

    def find(self, text: str, key: ItemKey) -> list[SignalChoice]:
        """Return the signals for a typed text, those of an item first among equally good ones."""
        keys = (key, ("frames", frame_of(self.scene, key)))
        first = [choice for choice in self._choices if choice.key in keys]
        others = (choice for choice in self._choices if choice.key not in keys)
        written = written_signal(self.scene, text, keys[1][1])
        found = found_by([*first, *others], text)
        if written is None:
            return found[:MAX_SIGNALS]
        return [written, *(choice for choice in found if choice.text != written.text)][:MAX_SIGNALS]


class QuantityNames(Names):
    """Quantities of the present item, and by typing the signals of all items and recorded variables.

    An item and a quantity, such as *camera velocity*, find the signal of another item.
    """

    noun = "quantity"

    def __init__(self, items: AskableNames, variables: RecordedVariables, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items, self._variables = items, variables
        variables.changed.connect(self.offers_changed)
        self._key: ItemKey = NO_ITEM
        self._signals = SignalsOfScene(Scene())
        self._own: Mapping[str, SignalChoice] = {}
        self._rows: dict[str, SignalChoice | VariableChoice] = {}

    def set_item(self, scene: Scene, key: ItemKey, choices: Sequence[SignalChoice]) -> None:
        """Offer the quantities of another item."""
        self._key = key
        if scene is not self._signals.scene:
            self._signals = SignalsOfScene(scene)
        self._own = {choice.quantity: choice for choice in choices}
        self.set_names(tuple(self._own))

    def set_variable(self) -> None:
        """Offer the only quantity of a recorded variable."""
        self._own = {}
        self.set_names((RECORDED,))

    def icon_of(self, name: str) -> str:
        choice = self._rows.get(name)
        if name in self._own or choice is None:
            return ""
        if isinstance(choice, VariableChoice):
            return _VARIABLE_ICON
        return self._items.icon_of_item(choice.key)

    def offers(self, text: str) -> Sequence[str]:
        if not text.strip():
            return self.names
        matches = found_by(tuple(self._own.values()), text)
        own = {choice.quantity: choice for choice in matches if with_words((choice.quantity,), text)}
        shown = {(choice.key, choice.text) for choice in own.values()}
        others = (c for c in self._signals.find(text, self._key) if (c.key, c.text) not in shown)
        variables = list(_rows_of(self._variables.find(text)).items())
        is_named = bool(variables) and variables[0][1].name.casefold() == text.strip().casefold()
        # A variable whose whole name is the text comes first.
        rows: dict[str, SignalChoice | VariableChoice] = dict(variables[:1]) if is_named else {}
        rows |= own | {choice.text: choice for choice in others} | dict(variables)
        self._rows = rows
        return tuple(rows)

    def note_on(self, text: str) -> str:
        if not text.strip():
            return ""
        note = self._variables.note_on(text)
        return note or ("" if self._rows else f"Nothing is called “{shortened(text.strip())}”. Try fewer words")

    def refusal(self, text: str) -> str:
        if self._variables.is_reading:
            return "The variables of recordings are still being read. Press Return again in a moment."
        hint = "Try fewer words, the name of an item, or a quantity such as velocity."
        return f"Nothing is called “{shortened(text)}”. {hint}"

    def choice_of(self, name: str) -> SignalChoice | VariableChoice | None:
        """Return the choice with a name in the list."""
        return self._own.get(name) or self._rows.get(name)
