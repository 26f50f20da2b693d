"""Leaks: parts of a question step that tell its answer before the user has given it.

Three kinds of evidence count. A text tells the answer where it has the value, the axis, the angles or the words of the
right reply. The text of the step gives the data of the question, too: a sentence of it counts only if it is about what
the question asks, and has none of the wrong numbers from which the user is to choose. A number in the picture tells it
where it is the value. A thing in the picture tells it where an arrow points along the direction, a frame has the
orientation, or a curve has the shape of the right one. A user may move the time, so a curve counts over the whole
scene. A number counts at the times that a user looks at: the time of the step, the end of its playback, both ends of
the scene, and where the number is largest and smallest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from framescope.core.errors import Problem
from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.relative_motion import are_known, relative_orientations
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.scene.schema.signal_kinds import ANGLE_SIGNALS, signal_named
from framescope.core.scene.schema.signals import SENSED, components_of
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.schema import Choose, NumberQuestion, PointQuestion, Question, Sketch, Turn
from framescope.features.lessons.core.spoken_rotations import rotations_in
from framescope.features.lessons.core.spoken_values import SpokenValue, known_unit, plain_of, values_in
from framescope.features.lessons.core.staging import ANSWER, Staging

N_TIMES = 241
"""Number of times at which curves are compared."""

ALIKE = 0.985
"""Correlation above which a curve has the shape of the right one."""

RESTING = 0.2
"""Time over which a curve stays at zero to show that nothing moves, as a fraction of the scene's time."""

UNDRAWN = math.radians(0.05)
"""Angle below which an arc has no label, rad."""

XYZ = ("x", "y", "z")

ORIENTATION_SIGNALS = frozenset({"angles", *ANGLE_SIGNALS, "quaternion", "rotation angle"})
"""Signals from which an orientation can be read."""


PANEL_SIGNALS: dict[str, tuple[str, ...]] = {
    "readouts": ("angles", "principal angles", "branch 2 angles", "angular velocity"),
    "inspector": ("position", "angles", "principal angles", "branch 2 angles", "quaternion", "rotation angle"),
    "relation": ("position", "angles", "principal angles", "branch 2 angles", "quaternion", "rotation angle"),
    "quaternion": ("quaternion", "rotation angle"),
}
"""Signals of the selected frame in its parent that a panel shows as numbers, all but the position in its own axes."""

READOUTS_IN_WORLD = ("position", "velocity", "angular velocity")
"""Signals of the selected frame relative to the world that the read-outs show, too."""


@dataclass(frozen=True)
class Leak:
    """Part of a step that tells the answer.

    Attributes
    ----------
    where
        The part, such as ``"note locked"``.
    what
        What it tells, as the end of a sentence.
    fix
        How the author removes it.
    """

    where: str
    what: str
    fix: str

    def problem(self) -> Problem:
        """Return the leak as a problem of the question of its step."""
        return Problem(("question",), f"{self.where} {self.what}.", self.fix, severity="amber", kind="answer-shown")


def leaks_of(staging: Staging, plan: Plan) -> list[Leak]:
    """Return the parts of a step that tell the answer to its question; none for a step without a question.

    `plan` is the compiled scene of the staging.
    """
    question = staging.question
    if question is None:
        return []
    subject = _Subject(staging, plan, question)
    leaks = [*_texts_that_tell(subject), *_numbers_that_tell(subject), *_pictures_that_tell(subject)]
    return list({leak.where: leak for leak in reversed(leaks)}.values())[::-1]


@dataclass(frozen=True, eq=False)
class _Subject:
    """Question of a step, its scene, and the texts that the user reads anyway."""

    staging: Staging
    plan: Plan
    question: Question

    @cached_property
    def read_before(self) -> str:
        """Text of the step, the question and the wrong options."""
        step, options = self.staging.step, getattr(self.question, "options", ())
        wrong = (option.text for option in options if not option.right)
        return plain_of(" ".join((step.title, step.text, self.question.ask, *wrong)))

    @cached_property
    def asked(self) -> set[str]:
        """Words of the question, without those of grammar."""
        return _words(self.question.ask)

    @cached_property
    def own_words(self) -> tuple[set[str], set[str]]:
        """Words that only the right option has, and words that only wrong options have; both empty without options."""
        options = getattr(self.question, "options", ())
        right = {word for option in options if option.right for word in _stems(option.text)}
        wrong = {word for option in options if not option.right for word in _stems(option.text)}
        return right - wrong, wrong - right

    @cached_property
    def reply(self) -> str:
        """Text that explains the right answer."""
        options = getattr(self.question, "options", ())
        right = (f"{option.text} {option.reply}" for option in options if option.right)
        return plain_of(" ".join((*right, self.question.if_right)))

    @cached_property
    def value(self) -> SpokenValue | None:
        """The right number with its tolerance as rounding; None for a question with another answer."""
        question = self.question
        if isinstance(question, NumberQuestion):
            unit, dimension = known_unit(question.unit) if question.unit else ("", "")
            return SpokenValue(question.value, question.tolerance, 2, unit, dimension, "")
        if isinstance(question, Choose):
            text = next(option.text for option in question.options if option.right)
            others = values_in(" ".join(option.text for option in question.options if not option.right))
            for value in values_in(text):
                if value.unit and not any(_is_value(other, value) for other in others):
                    return replace(value, rounding=max(value.rounding, 0.01 * abs(value.value)))
        return None

    @cached_property
    def is_about_angles(self) -> bool:
        """Whether the answer is an angle of a sequence or its curve."""
        if isinstance(self.question, Sketch):
            return judging.parse_signal(self.question.signal, self.plan.scene).signal in {"angles", *ANGLE_SIGNALS}
        return self.value is not None and self.value.dimension == "angle"

    @cached_property
    def times(self) -> Array:
        """Times of the whole scene, then the time of the step and the end of its playback."""
        play, t = self.staging.play, self.staging.time
        end = t if play is None else play.to.si("time", ("play", "to"))
        return np.array([*np.linspace(self.plan.start, self.plan.end, N_TIMES), t, end])

    @cached_property
    def span(self) -> tuple[Array, Array]:
        """Times of a sketch and its right values."""
        question = self.question
        if not isinstance(question, Sketch):
            return np.zeros(0), np.zeros(0)
        start, end = (limit.si("time", ("question",)) for limit in (question.start, question.end))
        times = np.linspace(start, end, N_TIMES)
        return times, judging.curve_of(question, self.plan, times)

    @cached_property
    def directions(self) -> dict[str, Array]:
        """Right direction (3,) in each frame that a text may mean: its own, the resolving one, its parent, world."""
        question, plan, t = self.question, self.plan, self.staging.time
        if not isinstance(question, PointQuestion):
            return {}
        frame = plan.scene.frames.get(question.frame)
        names = (question.frame, question.resolved_in, "" if frame is None else frame.parent, WORLD)
        snapshot, right = evaluate(plan, t), judging.direction_of(question, plan, t)[:, 0]
        result: dict[str, Array] = {}
        for name in dict.fromkeys(filter(None, names)):
            if bool(are_known(snapshot, question.frame, name)):
                R_WF, R_WN = relative_orientations(snapshot, name, question.frame)
                result[name] = R_WN.T @ R_WF @ right
        return result

    def is_along(self, v: Array, name: str = WORLD) -> bool:
        """Return whether a vector (3,) in a frame is along the right direction, within the tolerance."""
        question, right = self.question, self.directions.get(name)
        size = float(np.linalg.norm(v))
        if right is None or not isinstance(question, PointQuestion) or not np.isfinite(size) or size < 1e-9:
            return False
        angle = math.acos(max(-1.0, min(1.0, float(right @ v) / size)))
        tolerance = question.tolerance.si("angle", ("question", "tolerance"))
        return angle <= tolerance or (question.either_way and math.pi - angle <= tolerance)


# --- Texts


def _texts_that_tell(subject: _Subject) -> Iterator[Leak]:
    scene = subject.plan.scene
    for note in subject.plan.view_data.notes:
        if reason := _told_by(note.text, subject, is_name=False, is_drawn=True):
            yield Leak(f'the note "{note.name}"', reason, f"Add {note.name} to hide: in this step.")
    yield from _names_that_tell(subject)
    for title, what in ((subject.staging.step.title, "the title of the step"), (scene.title, "the title of the scene")):
        if reason := _value_told_by(title, subject, is_name=True) or _option_told_by(title, subject, is_title=True):
            yield Leak(what, reason, "Choose a title that asks.")
    for sentence in _sentences(subject.staging.step.text):
        if reason := _told_by_sentence(sentence, subject):
            yield Leak("the text of the step", reason, "Leave it out, or move it to the next step.")


def _names_that_tell(subject: _Subject) -> Iterator[Leak]:
    view_data, scene = subject.plan.view_data, subject.plan.scene
    hidden = view_data.hidden
    for kind in ("frames", "bodies", "points", "elements", "sensors", "measured"):
        for name in getattr(scene, kind):
            is_own = name.startswith(ANSWER) or (kind, name) in hidden
            is_drawn = kind in ("points", "sensors") or (
                kind == "frames" and name in subject.plan.index and bool(view_data.has_label[subject.plan.index[name]])
            )
            if not is_own and (reason := _told_by(name, subject, is_name=True, is_drawn=is_drawn)):
                yield Leak(f'the name "{name}"', reason, f"Rename it, or add {name} to hide: in this step.")
    for plot in scene.view.plots:
        if reason := _told_by(plot.called, subject, is_name=True, is_drawn=True):
            yield Leak(f'the title of the plot "{plot.called}"', reason, "Rename it, or leave it out of plots:.")


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text in Markdown, without its marks."""
    paragraphs = re.split(r"\n\s*\n", text)
    return [part for paragraph in paragraphs for part in re.split(r"(?<=[.!?])\s+", plain_of(paragraph)) if part]


def _told_by_sentence(sentence: str, subject: _Subject) -> str:
    """Return what a sentence of the text tells about the answer, beyond the data of the question."""
    question = subject.question
    match question:
        case Choose():
            return _option_told_by(sentence, subject, has_all=True)
        case PointQuestion():
            is_given = _VECTOR_GIVEN.search(question.ask) or _TRIPLE.search(plain_of(question.ask))
            return "" if is_given else _components_told_by(sentence, subject)
        case Sketch() if _is_about(sentence, subject):
            told = _shapes(sentence) & _shapes(subject.reply)
            return f'says "{min(told)}", which is the shape of the answer' if told else ""
        case NumberQuestion() if _is_about(sentence, subject):
            return _number_told_by(sentence, subject, question)
        case _:
            return ""


def _is_about(sentence: str, subject: _Subject) -> bool:
    """Return whether a sentence has two words or two numbers of the question."""
    values = values_in(sentence)
    n_numbers = sum(any(_is_value(value, other) for other in values) for value in values_in(subject.question.ask))
    return n_numbers > 1 or len(_words(sentence) & subject.asked) >= max(1, min(2, len(subject.asked)))


def _number_told_by(sentence: str, subject: _Subject, question: NumberQuestion) -> str:
    """Return whether a sentence has the right number, which is not in the question, and no wrong one."""
    right, values, given = subject.value, values_in(sentence), values_in(question.ask)
    if right is None:
        return ""
    wrong = [replace(right, value=misreading.value) for misreading in question.misreadings]
    if any(_is_value(value, other, has_sign=True) for value in values for other in wrong):
        return ""
    told = [value for value in values if _is_value(value, right) and not any(_is_value(value, it) for it in given)]
    return f"has the number of the answer, {told[0].text}" if told else ""


_VECTOR_GIVEN = re.compile(r"\b(vector|components?|coordinates?|matrix|rows?|columns?)\b", re.IGNORECASE)


def _option_told_by(text: str, subject: _Subject, *, is_title: bool = False, has_all: bool = False) -> str:
    """Return whether a text is about what the question asks, with the words that only the right option has.

    Half of the words are enough without `has_all`, if the text has two words of the question.
    """
    right, wrong = subject.own_words
    words, n_asked = _stems(text), len(_words(text) & subject.asked)
    told = right & words
    is_whole = told == right and (is_title or n_asked > 0)
    is_half = not has_all and 2 * len(told) >= len(right) and n_asked > 1
    if told and not wrong & words and (is_whole or is_half):
        return "has the words of the right answer"
    return ""


def _told_by(text: str, subject: _Subject, *, is_name: bool, is_drawn: bool) -> str:
    """Return what a text tells about the answer, as the end of a sentence; empty for nothing.

    The words of names that are not drawn in the picture do not count, as their user sees them in other panels only.
    """
    plain = plain_of(text)
    if is_name and re.search(r"\b(answer|solution|correct|target)\b", plain, re.IGNORECASE):
        return "is named as the answer"
    return (
        _value_told_by(text, subject, is_name=is_name)
        or _option_told_by(text, subject)
        or _axis_told_by(plain, subject, has_words=is_drawn)
        or _angles_told_by(text, subject)
        or _rotation_told_by(text, subject)
        or _curve_told_by(text, subject)
        or (_words_told_by(plain, subject) if is_drawn else "")
        or ("" if is_name else _relation_told_by(plain, subject))
    )


_NO_MOTION = re.compile(
    r"\b(stands? still|does(?: not|n't) (?:move|turn|rotate|change)|(?:stays?|is) (?:at rest|where it is)|"
    r"no (?:motion|rotation|turn)|nothing|cancels?(?: out)?|zero)\b",
    re.IGNORECASE,
)


def _value_told_by(text: str, subject: _Subject, *, is_name: bool) -> str:
    right = subject.value
    if isinstance(subject.question, Choose):
        option = next(option.text for option in subject.question.options if option.right)
        if len(_stems(option)) > 1 and _stems(option) <= _stems(text):
            return "has the text of the right answer"
    if right is None:
        return ""
    grid = subject.plan.view_data.grid
    if abs(right.value) <= right.rounding and (match := _NO_MOTION.search(plain_of(text))):
        return f'says "{match[0]}", which is the answer'
    for value in values_in(text):
        is_index = is_name and not value.unit and value.digits < 2
        is_grid = _GRID.search(text) and value.dimension == "length" and math.isclose(value.si, grid)
        if not is_index and not is_grid and _is_value(value, right):
            return f"has the number of the answer, {value.text}"
    return ""


_GRID = re.compile(r"\b(grid|squares?|cells?|tiles?)\b", re.IGNORECASE)


def _is_value(value: SpokenValue, right: SpokenValue, *, has_sign: bool = False) -> bool:
    """Return whether a number in a text is the right one, rounded as it is written; by default with either sign."""
    if value.unit and right.unit and value.dimension == right.dimension:
        size = UNITS[right.dimension][right.unit]
        factor = UNITS[value.dimension][value.unit] / size
    elif (value.unit and value.unit != right.unit) or (right.unit and value.digits < 2):
        return False
    else:
        factor = 1.0
    rounding = value.rounding * factor if value.digits > 1 or value.unit else 0.0
    is_zero = abs(right.value) <= right.rounding
    if is_zero and not value.unit and right.unit:
        return False
    within = max(right.rounding, 0.0 if is_zero else rounding) * (1.0 + 1e-9)
    given = value.value * factor
    other = given if has_sign else -given
    return min(abs(given - right.value), abs(other - right.value)) <= within


_AXIS = re.compile(r"(?<![\w\\])[-−+±]?([xyz])(?:_\w+)?[′″'’\"̂]*(?![\w])")
_TRIPLE = re.compile(r"[(\[]\s*([-−+]?[\d.,/√]+)\s*[,;\s]\s*([-−+]?[\d.,/√]+)\s*[,;\s]\s*([-−+]?[\d.,/√]+)\s*[)\]]")
_VERTICAL = re.compile(r"\b(up|upwards?|vertical(?:ly)?|down|downwards?|plumb)\b", re.IGNORECASE)


def _axis_told_by(text: str, subject: _Subject, *, has_words: bool) -> str:
    if not subject.directions:
        return ""
    named = {match[1] for match in _AXIS.finditer(text)}
    if 0 < len(named) < 3:  # all three are a legend
        for name in subject.directions:
            for letter, component in zip(XYZ, np.eye(3), strict=True):
                if letter in named and (subject.is_along(component, name) or subject.is_along(-component, name)):
                    return f"names the axis {letter} of {name}, which is along the answer"
    if reason := _components_told_by(text, subject):
        return reason
    v_W = subject.directions.get(WORLD)
    if has_words and v_W is not None and abs(float(v_W[2])) > 0.97 and (match := _VERTICAL.search(text)):
        return f'says "{match[0]}", which is the answer'
    return ""


def _components_told_by(text: str, subject: _Subject) -> str:
    for match in _TRIPLE.finditer(text):
        numbers = [values_in(part.rstrip(",")) for part in match.groups()]
        if all(numbers):
            v = np.array([found[0].value for found in numbers])
            if any(subject.is_along(v, name) for name in subject.directions):
                return f"has the components of the answer, {match[0]}"
    return ""


def _rotation_told_by(text: str, subject: _Subject) -> str:
    question = subject.question
    if not isinstance(question, Turn):
        return ""
    target = judging.target_of(question, subject.plan).R
    tolerance = question.tolerance.si("angle", ("question", "tolerance"))

    def forms_of_target(written: str) -> set[str]:
        return {form for form, R in rotations_in(written) if float(angles_between(R, target)) <= tolerance}

    step = subject.staging.step
    new = forms_of_target(text) - forms_of_target(f"{step.title}. {step.text} {question.ask}")
    return f"has the {min(new)} of the answer" if new else ""


def _angles_told_by(text: str, subject: _Subject) -> str:
    question = subject.question
    if not isinstance(question, Turn):
        return ""
    target = judging.target_of(question, subject.plan)
    if target.angles is None:
        return ""
    before = values_in(subject.read_before)
    rights = [
        SpokenValue(math.degrees(float(angle)), 0.5, 2, "deg", "angle", "")
        for angle in target.angles[1]
        if abs(float(angle)) > math.radians(1.0)
    ]
    news = [right for right in rights if not any(_is_value(value, right) for value in before)]
    told = [right for right in news if any(_is_value(value, right) for value in values_in(text))]
    return "has the angles of the answer" if told and len(told) >= min(2, len(news)) else ""


_SHAPES = re.compile(
    r"\b(jump|step|cosine|sine|constant|parabola|ramp|wave|flat|straight|linear|negative|positive|triang|peak|cusp)\w*",
    re.IGNORECASE,
)


def _shapes(text: str) -> set[str]:
    """Return the words of a text that describe the shape of a curve."""
    return {match[1].lower() for match in _SHAPES.finditer(text)}


def _curve_told_by(text: str, subject: _Subject) -> str:
    question = subject.question
    if not isinstance(question, Sketch):
        return ""
    plain = plain_of(text)
    if told := (_shapes(subject.reply) - _shapes(subject.read_before)) & _shapes(plain):
        return f'says "{min(told)}", which is the shape of the answer'
    _, curve = subject.span
    if not np.isfinite(curve).any():
        return ""
    unit, dimension = known_unit(judging.unit_of(question, subject.plan))
    known = curve[np.isfinite(curve)]
    tolerance = 0.02 * float(np.ptp(known))
    before = values_in(subject.read_before)
    for level in (float(known.max()), float(known.min()), float(known[0]), float(known[-1])):
        right = SpokenValue(level, tolerance, 2, unit, dimension, "")
        if abs(level) <= tolerance or any(_is_value(value, right) for value in before):
            continue
        for value in values_in(text):
            if (value.unit or not unit) and _is_value(value, right):
                return f"has a level of the curve, {value.text}"
    return ""


_STOP = frozenset(
    [
        "about",
        "after",
        "again",
        "also",
        "along",
        "angle",
        "angles",
        "answer",
        "axes",
        "axis",
        "back",
        "because",
        "before",
        "body",
        "both",
        "does",
        "draw",
        "each",
        "first",
        "frame",
        "from",
        "have",
        "here",
        "into",
        "itself",
        "just",
        "like",
        "more",
        "most",
        "moves",
        "much",
        "only",
        "other",
        "over",
        "point",
        "points",
        "same",
        "second",
        "show",
        "shows",
        "that",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "turn",
        "turns",
        "under",
        "until",
        "very",
        "what",
        "when",
        "where",
        "which",
        "while",
        "with",
        "would",
        "your",
        "will",
        "between",
    ]
)


def _stems(text: str) -> set[str]:
    """Return the words of a text that carry meaning, without endings."""
    return {_stem(word) for word in _written_words(text) if len(word) > 3 and word not in _STOP}


_GRAMMAR = frozenset(
    [
        "about",
        "after",
        "all",
        "also",
        "and",
        "any",
        "are",
        "before",
        "between",
        "but",
        "can",
        "did",
        "does",
        "draw",
        "each",
        "for",
        "from",
        "had",
        "has",
        "have",
        "here",
        "how",
        "into",
        "its",
        "just",
        "many",
        "more",
        "most",
        "much",
        "must",
        "not",
        "one",
        "only",
        "our",
        "out",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "very",
        "was",
        "were",
        "what",
        "when",
        "where",
        "which",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


def _words(text: str) -> set[str]:
    """Return the words of a text and the letters of axes, without endings and without words of grammar."""
    return {_stem(word) for word in _written_words(text) if (len(word) > 2 or word in XYZ) and word not in _GRAMMAR}


def _written_words(text: str) -> list[str]:
    return re.findall(r"[a-zà-ž]+(?:-[a-zà-ž]+)*", plain_of(text).lower())


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s|ly)\Z", "", word)


def _words_told_by(text: str, subject: _Subject) -> str:
    told = (_stems(text) & _stems(subject.reply)) - _stems(subject.read_before)
    return f"has words of the right reply: {', '.join(sorted(told))}" if len(told) > 1 else ""


_ANGLE_LETTER = re.compile(r"[αβγψθφ]|(?<!\w)[xyz][′″]")


def _relation_told_by(text: str, subject: _Subject) -> str:
    if not subject.is_about_angles or _ANGLE_LETTER.search(text) is None:
        return ""
    return "states a relation of the angles, of which the question asks"


# --- Numbers


@dataclass(frozen=True, eq=False)
class _Shown:
    """Numbers that the picture or a plot shows: SI values at the subject's times, and their dimension."""

    where: str
    fix: str
    dimension: str
    values: Array


def _shown_numbers(subject: _Subject, times: Array) -> Iterator[_Shown]:
    """Yield the numbers in the picture and in plots, over times (n,)."""
    plan = subject.plan
    snapshot = evaluate(plan, times)
    for arcs in plan.view_data.arcs:
        name = plan.names[arcs.i_frame]
        angles = plan.turn_angles(name, arcs.sequence, snapshot)[0]
        for k in range(3):
            drawn = np.where(np.abs(angles[:, k]) < UNDRAWN, np.nan, angles[:, k])
            yield _Shown(f'the arcs of "{name}"', "Add arcs to hide: in this step.", "angle", drawn)
    for name, arrows in snapshot.arrows.items():
        for key, arrow in arrows.items():
            kind = SENSED.get(key)
            dimension = "" if kind is None else signal_named(kind).dimension or ""
            size = np.linalg.norm(arrow.vector_W, axis=-1)
            fix = f"Add {name} to hide: in this step."
            yield _Shown(f'the label of the arrow of "{name}"', fix, dimension or "acceleration", size)
    for where, fix, signal in _shown_signals(plan):
        for dimension, values in _curves_of(signal, plan, times):
            yield _Shown(where, fix, dimension, values)
    for where, fix, signal in _panel_signals(subject):
        for dimension, values in _curves_of(signal, plan, times):
            yield _Shown(where, fix, dimension, values)
    yield from _force_labels(plan, times)


def _panel_signals(subject: _Subject) -> Iterator[tuple[str, str, CompiledPlot]]:
    """Yield the signals in the panel of a step: its place, the way to leave it out, and the signal."""
    staging, moment = subject.staging, subject.staging.step.moment
    frame = subject.plan.scene.frames.get(staging.select)
    if moment.stage == "scene" or frame is None or staging.select == ANSWER:
        return
    sequence = subject.plan.sequence(staging.select) or "ZYX"
    fix = "Leave panel: out of this step."
    name, parent = staging.select, frame.parent
    shown = [(kind, parent, parent if kind == "position" else name) for kind in PANEL_SIGNALS.get(moment.panel, ())]
    shown += [(kind, WORLD, WORLD) for kind in READOUTS_IN_WORLD if moment.panel == "readouts"]
    for kind, reference, axes in shown:
        units = UNITS.get(signal_named(kind).dimension or "", {})
        unit = next((unit for unit, size in units.items() if size == 1.0), "")
        signal = CompiledPlot(kind, name, reference, axes, unit, 1.0, sequence)
        yield f'the panel "{moment.panel}"', fix, signal


def _force_labels(plan: Plan, times: Array) -> Iterator[_Shown]:
    """Yield the numbers at the arrows of forces."""
    simulation = plan.instruments.simulation
    if plan.view_data.forces is None or simulation is None:
        return
    for name, force in simulation.port_forces(times).items():
        size = np.linalg.norm(force.reshape(len(times), -1), axis=-1)
        yield _Shown(f'the label of the force at "{name}"', "Add forces to hide: in this step.", "force", size)


def _shown_signals(plan: Plan) -> Iterator[tuple[str, str, CompiledPlot]]:
    """Yield the signals on cards and in plots: their place, the way to leave them out, and the signal."""
    for i, answer in enumerate(plan.view_data.answers):
        where = f"card {i + 1}, {answer.signal.signal} of {answer.signal.of}"
        yield where, "Add cards to hide: in this step.", answer.signal
    for plot in plan.view_data.plots:
        title = plot.title or plot.signal.capitalize()
        for signal in plot.signals:
            yield f'the plot "{title}"', f"Leave {title} out of plots: in this step.", signal


def _curves_of(signal: CompiledPlot, plan: Plan, times: Array) -> Iterator[tuple[str, Array]]:
    """Yield the dimension and the SI values of each curve of a signal, with the magnitude that a legend may show."""
    columns = signal.components or components_of(signal, plan.scene).every
    values = plot_curves(plan, replace(signal, components=columns), times) * signal.factor
    dimension = signal_named(signal.signal).dimension or ""
    for name, curve in zip(columns, values.T, strict=True):
        letter = name.removeprefix("norm ").partition("_")[0]
        sensed = SENSED.get(letter) if signal.signal == "sensor" else None
        yield (dimension if sensed is None else signal_named(sensed).dimension or ""), curve


def _numbers_that_tell(subject: _Subject) -> Iterator[Leak]:
    right = subject.value
    if right is not None:
        size = UNITS[right.dimension][right.unit] if right.unit else 1.0
        for shown in _shown_numbers(subject, subject.times):
            if shown.dimension == right.dimension and _shows_value(
                shown.values, right.value * size, right.rounding * size
            ):
                what = (
                    "shows the number of the answer" if "arcs" not in shown.where else "show the number of the answer"
                )
                yield Leak(shown.where, what, shown.fix)
        if abs(right.value) <= right.rounding:
            yield from _rests_that_tell(subject, right.dimension)
        elif right.dimension == "angle":
            yield from _complements_that_tell(subject, right.value * size, right.rounding * size)
    if isinstance(subject.question, Sketch):
        times, curve = subject.span
        for shown in _shown_numbers(subject, times):
            if _is_alike(shown.values, curve):
                yield Leak(shown.where, "follows the curve of the answer", shown.fix)


def _rests_that_tell(subject: _Subject, dimension: str) -> Iterator[Leak]:
    """Yield plots of a rate that is zero from the time of the step on, if the answer is that nothing changes."""
    rate = {"angle": "angular velocity", "length": "velocity"}.get(dimension)
    plan, t = subject.plan, subject.staging.time
    times = np.linspace(t, min(plan.end, t + RESTING * (plan.end - plan.start)), N_TIMES)
    for plot in plan.view_data.plots:
        for signal in plot.signals:
            if signal.signal == rate:
                rest, whole = (np.abs(plot_curves(plan, signal, span)) for span in (times, subject.times))
                if np.nanmax(rest, initial=0.0) <= 1e-6 * np.nanmax(whole, initial=0.0):
                    title = plot.title or plot.signal.capitalize()
                    fix = f"Leave {title} out of plots: in this step."
                    yield Leak(f'the plot "{title}"', "shows that nothing moves", fix)


def _complements_that_tell(subject: _Subject, right: float, tolerance: float) -> Iterator[Leak]:
    """Yield angles between axes that are 90° or 180° less the answer."""
    for where, fix, signal in _shown_signals(subject.plan):
        if signal.signal != "angle between axes":
            continue
        for _, values in _curves_of(signal, subject.plan, subject.times):
            for whole in (0.5 * math.pi, math.pi):
                if _shows_value(whole - values, right, tolerance):
                    yield Leak(where, "shows the answer as the angle to another axis", fix)


def _shows_value(values: Array, right: float, tolerance: float) -> bool:
    """Return whether values over the times of a subject show a number, with either sign, at a time of interest."""
    known = values[np.isfinite(values)]
    if not known.size:
        return False
    scene = values[:-2]
    known_scene = scene[np.isfinite(scene)]
    ends = [*values[-2:], scene[0], scene[-1]]
    if known_scene.size and abs(right) > tolerance:  # many a number is next to zero for a moment
        ends += [known_scene.max(), known_scene.min()]
    return any(
        min(abs(value - right), abs(value + right)) <= tolerance * (1.0 + 1e-9) for value in ends if np.isfinite(value)
    )


def _is_alike(curve: Array, right: Array) -> bool:
    """Return whether a curve (n,) has the shape of another, up to scale and offset."""
    known = np.isfinite(curve) & np.isfinite(right)
    if np.count_nonzero(known) < 0.5 * len(right):
        return False
    a, b = curve[known] - curve[known].mean(), right[known] - right[known].mean()
    sizes = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    if min(sizes) <= judging.FLAT * math.sqrt(len(a)):
        return False
    return abs(float(a @ b)) / (sizes[0] * sizes[1]) > ALIKE


# --- Pictures


def _pictures_that_tell(subject: _Subject) -> Iterator[Leak]:
    question = subject.question
    if isinstance(question, PointQuestion):
        yield from _arrows_along(subject)
        yield from _vectors_along(subject)
        yield from _names_along(subject, question)
    if isinstance(question, Turn):
        yield from _frames_at_target(subject, question)
        yield from _orientations_at_target(subject, question)


def _arrows_along(subject: _Subject) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    snapshot = evaluate(plan, t)
    what = "points along the answer"
    for name, arrows in snapshot.arrows.items():
        if any(subject.is_along(arrow.vector_W) for arrow in arrows.values()):
            yield Leak(f'the arrow of "{name}"', what, f"Add {name} to hide: in this step.")
    for body in plan.view_data.bodies:
        axis_W = snapshot.R_WF[body.i_frame] @ body.R_FB[:, 2]
        if body.kind in ("arrow", "cone") and not body.name.startswith(ANSWER) and subject.is_along(axis_W):
            yield Leak(f'the body "{body.name}"', what, f"Add {body.name} to hide: in this step.")
    simulation = plan.instruments.simulation
    if plan.view_data.forces is not None and simulation is not None:
        for name, force in simulation.port_forces(np.array([t])).items():
            if force.size == len(XYZ) and subject.is_along(force.reshape(3)):
                yield Leak(f'the force at "{name}"', what, "Add forces to hide: in this step.")


def _names_along(subject: _Subject, question: PointQuestion) -> Iterator[Leak]:
    """Yield a lit axis along the answer, and names of frames in this direction that have a word of the question."""
    plan, t = subject.plan, subject.staging.time
    snapshot, view_data = evaluate(plan, t), plan.view_data
    asked = _stems(f"{subject.staging.step.title} {question.ask}")
    letter, _, owner = subject.staging.step.moment.light.partition(" of ")
    if letter in XYZ and owner in plan.index:
        n_W = snapshot.R_WF[plan.index[owner]][:, XYZ.index(letter)]
        if subject.is_along(n_W) or subject.is_along(-n_W):
            yield Leak(f"the light on {letter} of {owner}", "is along the answer", "Leave light: out of this step.")
    for name, i in plan.index.items():
        is_named = bool(view_data.has_label[i]) and not bool(view_data.is_hidden[i]) and bool(_stems(name) & asked)
        if is_named and name not in (WORLD, ANSWER, question.frame, question.resolved_in):
            r_W = snapshot.p_WF[i] - snapshot.p_WF[plan.index[question.frame]]
            if subject.is_along(r_W) or subject.is_along(-r_W):
                fix = f"Rename it, or add {name} to hide: in this step."
                yield Leak(f'the name "{name}"', "is that of what the question asks for, and in its direction", fix)


def _vectors_along(subject: _Subject) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    snapshot = evaluate(plan, t)
    for where, fix, signal in _shown_signals(plan):
        if components_of(signal, plan.scene).every[:3] == XYZ and signal.resolved_in in plan.index:
            v = plot_curves(plan, replace(signal, components=XYZ), np.array([t]))[0]
            if subject.is_along(snapshot.R_WF[plan.index[signal.resolved_in]] @ v):
                yield Leak(where, "has the components of the answer", fix)


def _frames_at_target(subject: _Subject, question: Turn) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    parent, view_data, snapshot = plan.scene.frames[question.frame].parent, plan.view_data, evaluate(plan, t)
    drawn = {body.i_frame for body in view_data.bodies}
    for name, i in plan.index.items():
        is_seen = bool(view_data.has_triad[i] and not view_data.is_hidden[i]) or i in drawn
        if name in (WORLD, ANSWER, question.frame, parent) or not is_seen:
            continue
        if _is_target(subject, question, *relative_orientations(snapshot, name, parent)):
            yield Leak(f'the frame "{name}"', "has the orientation of the answer", f"Add {name} to hide: in this step.")


def _orientations_at_target(subject: _Subject, question: Turn) -> Iterator[Leak]:
    plan, t = subject.plan, subject.staging.time
    at = t if question.at is None else question.at.si("time", ("question", "at"))
    for where, fix, signal in _shown_signals(plan):
        has_frames = signal.of in plan.index and signal.relative_to in plan.index
        if signal.signal in ORIENTATION_SIGNALS and has_frames:
            pairs = (relative_orientations(evaluate(plan, time), signal.of, signal.relative_to) for time in (t, at))
            if any(_is_target(subject, question, *pair) for pair in pairs):
                yield Leak(where, "has the numbers of the answer", fix)


def _is_target(subject: _Subject, question: Turn, R_WP: Array, R_WF: Array) -> bool:
    target = judging.target_of(question, subject.plan).R
    return float(angles_between(R_WP.T @ R_WF, target)) <= question.tolerance.si("angle", ("question", "tolerance"))
