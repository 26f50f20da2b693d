"""Notes, names, titles and sentences that tell the answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from framescope.core.scene.schema.model import WORLD
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.leaks.subject import Leak, Subject, is_value
from framescope.features.lessons.core.leaks.words import (
    XYZ,
    contents_of,
    has_phrase,
    phrase_of,
    sentences_of,
    stems,
    words_of,
)
from framescope.features.lessons.core.schema import Choose, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.spoken_rotations import rotations_in
from framescope.features.lessons.core.spoken_values import SpokenValue, known_unit, plain_of, values_in
from framescope.features.lessons.core.staging import ANSWER


def texts_that_tell(subject: Subject) -> Iterator[Leak]:
    """Yield the texts of a step that tell the answer."""
    scene = subject.plan.scene
    for note in subject.plan.view_data.notes:
        if reason := _told_by(note.text, subject, is_name=False, is_drawn=True):
            yield Leak(f'the note "{note.name}"', reason, f"Add {note.name} to hide: in this step.")
    yield from _names_that_tell(subject)
    for title, what in ((subject.staging.step.title, "the title of the step"), (scene.title, "the title of the scene")):
        if reason := _told_by_title(title, subject):
            yield Leak(what, reason, "Choose a title that asks.")
    if isinstance(subject.question, Choose) and _has_only_right_words(subject.question.ask, subject):
        yield Leak("the question", "has the words of the right answer alone", "Ask with the words of no option.")
    for hint in subject.question.hints:
        if reason := _told_by_hint(hint, subject):
            yield Leak("a hint", reason, "Give a hint that leads to the answer.")
    for sentence in sentences_of(subject.staging.step.text):
        if reason := _told_by_sentence(sentence, subject):
            yield Leak("the text of the step", reason, "Leave it out, or move it to the next step.")


def _names_that_tell(subject: Subject) -> Iterator[Leak]:
    view_data, scene = subject.plan.view_data, subject.plan.scene
    hidden = view_data.hidden
    for kind in ("frames", "bodies", "points", "elements", "sensors", "measured"):
        for name in getattr(scene, kind):
            is_own = name.startswith(ANSWER) or (kind, name) in hidden
            is_drawn = kind in ("points", "sensors") or (
                kind == "frames" and name in subject.plan.index and bool(view_data.has_label[subject.plan.index[name]])
            )
            is_own = is_own or _is_one_of_the_options(name, subject)
            if not is_own and (reason := _told_by(name, subject, is_name=True, is_drawn=is_drawn)):
                yield Leak(f'the name "{name}"', reason, f"Rename it, or add {name} to hide: in this step.")
    for plot in scene.view.plots:
        if reason := _told_by(plot.called, subject, is_name=True, is_drawn=True):
            yield Leak(f'the title of the plot "{plot.called}"', reason, "Rename it, or leave it out of plots:.")


def _is_one_of_the_options(name: str, subject: Subject) -> bool:
    """Return whether a name is one of several items that the options name, such as *left book* and *right book*."""
    scene, (right, wrong) = subject.plan.scene, subject.options
    names = [name for kind in ("frames", "bodies", "points", "elements", "sensors") for name in getattr(scene, kind)]
    others = [name for name in names if any(has_phrase(option, phrase_of(name)) for option in wrong)]
    return has_phrase(right, phrase_of(name)) and bool(others)


def _told_by_title(title: str, subject: Subject) -> str:
    return (
        _value_told_by(title, subject, is_name=True)
        or _option_told_by(title, subject, is_title=True)
        or _axis_told_by(plain_of(title), subject, has_words=True)
    )


def _told_by_hint(hint: str, subject: Subject) -> str:
    """Return what a hint gives away; it may come near the answer."""
    question = subject.question
    match question:
        case Choose():
            return _option_told_by(hint, subject, has_all=True)
        case NumberQuestion():
            return _number_told_by(hint, subject, question, may_list=False)
        case PointQuestion() if not _is_vector_given(question):
            return _axis_told_by(plain_of(hint), subject, has_words=True)
        case _:
            return ""


def _has_only_right_words(text: str, subject: Subject) -> bool:
    """Return whether a text has all words that only the right option has, and none that only wrong ones have."""
    right, wrong = subject.own_words
    return bool(right) and right <= stems(text) and not wrong & stems(text)


def _is_vector_given(question: PointQuestion) -> bool:
    """Return whether a question gives the components of the direction."""
    return bool(_VECTOR_GIVEN.search(question.ask) or _TRIPLE.search(plain_of(question.ask)))


def _told_by_sentence(sentence: str, subject: Subject) -> str:
    """Return what a sentence of the text tells about the answer, beyond the data of the question."""
    return _told_by_data(sentence, subject) or _reply_told_by(sentence, subject)


def _reply_told_by(sentence: str, subject: Subject) -> str:
    """Return whether a sentence of the text has all words of a sentence of the right reply, some for the first time.

    A direction and an orientation may be described in words: the user finds them in the picture.
    """
    if isinstance(subject.question, PointQuestion | Turn):
        return ""
    step, told = subject.staging.step, contents_of(sentence)
    others = [other for other in sentences_of(step.text) if other != sentence]
    before = contents_of(" ".join((step.title, subject.question.ask, *others, *subject.options[1])))
    for reply in subject.reply_sentences:
        words = contents_of(reply)
        if len(words) > 1 and words <= told and words - before:
            return "has the words of the right reply"
    return ""


def _told_by_data(sentence: str, subject: Subject) -> str:
    """Return what a sentence tells by its numbers, or by the words of an option or of a shape."""
    question = subject.question
    match question:
        case Choose():
            return _option_told_by(sentence, subject, has_all=True)
        case PointQuestion():
            return "" if _is_vector_given(question) else _components_told_by(sentence, subject)
        case Sketch() if _is_about(sentence, subject):
            told = _shapes(sentence) & _shapes(subject.reply)
            return f'says "{min(told)}", which is the shape of the answer' if told else ""
        case NumberQuestion():
            told = _number_told_by(sentence, subject, question) if _is_about(sentence, subject) else ""
            return told or _result_told_by(sentence, subject, question)
        case _:
            return ""


_PRONOUN = re.compile(r"\W*(?:(?:so|then|now|thus|hence)\W+)?(?:it|they|this|that)\b", re.IGNORECASE)


def _is_about(sentence: str, subject: Subject) -> bool:
    """Return whether a sentence has two words or two numbers of the question, or a pronoun and one word."""
    values = values_in(sentence)
    n_numbers = sum(any(is_value(value, other) for other in values) for value in values_in(subject.question.ask))
    n_enough = 1 if _PRONOUN.match(sentence) else 2
    return n_numbers > 1 or len(words_of(sentence) & subject.asked) >= max(1, min(n_enough, len(subject.asked)))


_RESULT = re.compile(r"(?:=|≈|\b(?:gives?|yields?|makes?|amounts? to|results? in))\s*(?=[-−+\d√π.]|pi\b)")


def _result_told_by(sentence: str, subject: Subject, question: NumberQuestion) -> str:
    """Return whether a sentence has the right number as a result, after an equals sign or such as *gives*."""
    right, plain, given = subject.value, plain_of(sentence), values_in(question.ask)
    if right is None:
        return ""
    for match in _RESULT.finditer(plain):
        result = next(iter(values_in(plain[match.end() :])), None)
        if result is None or any(is_value(result, value) for value in given):
            continue
        if plain.startswith(result.text, match.end()) and is_value(result, right, has_sign=True):
            return f"has the number of the answer, {result.text}"
    return ""


def _number_told_by(sentence: str, subject: Subject, question: NumberQuestion, *, may_list: bool = True) -> str:
    """Return whether a sentence has the right number, which is not in the question.

    A sentence that `may_list` numbers to choose from tells nothing if it has a wrong one, too.
    """
    right, values, given = subject.value, values_in(sentence), values_in(question.ask)
    if right is None:
        return ""
    wrong = [replace(right, value=misreading.value) for misreading in question.misreadings]
    if may_list and any(is_value(value, other, has_sign=True) for value in values for other in wrong):
        return ""
    told = [value for value in values if is_value(value, right) and not any(is_value(value, it) for it in given)]
    return f"has the number of the answer, {told[0].text}" if told else ""


_VECTOR_GIVEN = re.compile(r"\b(vector|components?|coordinates?|matrix|rows?|columns?)\b", re.IGNORECASE)


def _option_told_by(text: str, subject: Subject, *, is_title: bool = False, has_all: bool = False) -> str:
    """Return whether a text is about what the question asks, with the words that only the right option has.

    Half of the words are enough without `has_all`, if the text has two words of the question.
    """
    right, wrong = subject.own_words
    words, n_asked = stems(text), len(words_of(text) & subject.only_asked)
    told = right & words
    is_whole = told == right and (is_title or n_asked > 0)
    is_half = not has_all and 2 * len(told) >= len(right) and n_asked > 1
    if told and not wrong & words and (is_whole or is_half):
        return "has the words of the right answer"
    return _phrase_told_by(text, subject, n_asked)


def _phrase_told_by(text: str, subject: Subject, n_asked: int) -> str:
    """Return whether a text has the right option word for word, and no word of a wrong one.

    A phrase of one word needs two words of the question beside it, a phrase of two words needs one.
    """
    right, others = subject.options
    phrase, wrong = phrase_of(right), [phrase_of(other) for other in others]
    if not has_phrase(text, phrase) or any(has_phrase(text, other) for other in wrong if other):
        return ""
    if any(word in stems(text) for word in subject.own_words[1] - subject.asked):
        return ""
    return "has the right answer word for word" if n_asked + len(phrase.split()) > 2 else ""


def _told_by(text: str, subject: Subject, *, is_name: bool, is_drawn: bool) -> str:
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


def _value_told_by(text: str, subject: Subject, *, is_name: bool) -> str:
    right = subject.value
    if isinstance(subject.question, Choose):
        option = next(option.text for option in subject.question.options if option.right)
        if len(stems(option)) > 1 and stems(option) <= stems(text):
            return "has the text of the right answer"
    if right is None:
        return ""
    grid = subject.plan.view_data.grid
    if abs(right.value) <= right.rounding and (match := _NO_MOTION.search(plain_of(text))):
        return f'says "{match[0]}", which is the answer'
    for value in values_in(text):
        is_index = is_name and not value.unit and value.digits < 2
        is_grid = _GRID.search(text) and value.dimension == "length" and math.isclose(value.si, grid)
        if not is_index and not is_grid and is_value(value, right):
            return f"has the number of the answer, {value.text}"
    return ""


_GRID = re.compile(r"\b(grid|squares?|cells?|tiles?)\b", re.IGNORECASE)


_AXIS = re.compile(r"(?<![\w\\])[-−+±]?([xyz])(?:_\w+)?[′″'’\"̂]*(?![\w])")
_TRIPLE = re.compile(r"[(\[]\s*([-−+]?[\d.,/√]+)\s*[,;\s]\s*([-−+]?[\d.,/√]+)\s*[,;\s]\s*([-−+]?[\d.,/√]+)\s*[)\]]")
_VERTICAL = re.compile(r"\b(up|upwards?|vertical(?:ly)?|down|downwards?|plumb)\b", re.IGNORECASE)


def _axis_told_by(text: str, subject: Subject, *, has_words: bool) -> str:
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


def _components_told_by(text: str, subject: Subject) -> str:
    for match in _TRIPLE.finditer(text):
        numbers = [values_in(part.rstrip(",")) for part in match.groups()]
        if all(numbers):
            v = np.array([found[0].value for found in numbers])
            if any(subject.is_along(v, name) for name in subject.directions):
                return f"has the components of the answer, {match[0]}"
    return ""


def _rotation_told_by(text: str, subject: Subject) -> str:
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


def _angles_told_by(text: str, subject: Subject) -> str:
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
    news = [right for right in rights if not any(is_value(value, right) for value in before)]
    told = [right for right in news if any(is_value(value, right) for value in values_in(text))]
    return "has the angles of the answer" if told and len(told) >= min(2, len(news)) else ""


_SHAPES = re.compile(
    r"\b(jump|step|cosine|sine|constant|parabola|ramp|wave|flat|straight|linear|negative|positive|triang|peak|cusp)\w*",
    re.IGNORECASE,
)


def _shapes(text: str) -> set[str]:
    """Return the words of a text that describe the shape of a curve."""
    return {match[1].lower() for match in _SHAPES.finditer(text)}


def _curve_told_by(text: str, subject: Subject) -> str:
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
        if abs(level) <= tolerance or any(is_value(value, right) for value in before):
            continue
        for value in values_in(text):
            if (value.unit or not unit) and is_value(value, right):
                return f"has a level of the curve, {value.text}"
    return ""


def _words_told_by(text: str, subject: Subject) -> str:
    told = (stems(text) & stems(subject.reply)) - stems(subject.read_before)
    is_about = len(words_of(text) & subject.only_asked) > 1 and not subject.own_words[1] & stems(text)
    return f"has words of the right reply: {', '.join(sorted(told))}" if len(told) > (0 if is_about else 1) else ""


_ANGLE_LETTER = re.compile(r"[αβγψθφ]|(?<!\w)[xyz][′″]")


def _relation_told_by(text: str, subject: Subject) -> str:
    if not subject.is_about_angles or len({match[0] for match in _ANGLE_LETTER.finditer(text)}) < 2:
        return ""
    return "states a relation of the angles, of which the question asks"
