"""Parser of lessons: Markdown with a heading and a block of YAML for each step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import ValidationError

from framescope.core.errors import KeyPath, Problem, SceneError
from framescope.core.scene.files.loading import scene_file_text
from framescope.core.scene.files.validation_messages import schema_problems
from framescope.core.scene.files.yaml_reading import YamlReader
from framescope.features.lessons.core.schema import Choose, LessonMoment, NumberQuestion, PointQuestion, Sketch

MAX_STEPS = 200
"""Largest number of steps of a lesson."""

_OPENED, _CLOSED = "<!--", "-->"
_COMMENT_OR_CODE = re.compile(r"```.*?```|`[^`\n]*`|<!--", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """Step of a lesson.

    Attributes
    ----------
    title, text
        Heading, and text in Markdown without the block of YAML.
    moment
        State of the scene, and the question.
    line
        Line of the heading, from 1.
    lines
        Lines of the keys of the moment, from 1.
    """

    title: str
    text: str
    moment: LessonMoment
    line: int
    lines: Mapping[KeyPath, int]


@dataclass(frozen=True)
class Lesson:
    """Lesson: title, text before the first step, and steps."""

    title: str
    text: str
    steps: tuple[Step, ...]


class LessonError(SceneError):
    """Invalid lesson; `problems` lists each fault with its line and a hint how to fix it."""


def load_lesson(path: Path) -> Lesson:
    """Read the file of a lesson.

    Raises
    ------
    LessonError
        When the file is missing, unreadable or not a valid lesson.
    """
    try:
        text = scene_file_text(path)
    except SceneError as error:
        raise LessonError(str(path), error.problems) from None
    return parse_lesson(text, str(path))


def parse_lesson(text: str, source: str = "lesson") -> Lesson:
    r"""Parse the text of a lesson.

    Raises
    ------
    LessonError
        When the text is not a valid lesson.

    Examples
    --------
    >>> lesson = parse_lesson("# Turns\n\n## One turn\n\nIt turns.\n\n```yaml\nscene: demo\ntime: 3 s\n```\n")
    >>> lesson.steps[0].title, lesson.steps[0].moment.scene, lesson.steps[0].text
    ('One turn', 'demo', 'It turns.')
    """
    text = without_comments(text)
    lines = text.split("\n")
    tokens = MarkdownIt("commonmark").parse(text)
    tops, begins = _headings(tokens, "h1"), _headings(tokens, "h2")
    problems: list[Problem] = []
    if len(tops) != 1 or (begins and tops[0][0] > begins[0][0]):
        where = tops[1][0] + 1 if len(tops) > 1 else 1
        problems.append(Problem((), "expected one title before the first step.", "Begin with # Title.", line=where))
    if not begins:
        problems.append(Problem((), "there is no step.", "Each step begins with ## and its title."))
    if len(begins) > MAX_STEPS:
        problems.append(Problem((), f"there are {len(begins)} steps; at most {MAX_STEPS} are read."))
    if problems:
        raise LessonError(source, problems)
    ends = [*(line for line, _ in begins[1:]), len(lines)]
    steps: list[Step] = []
    for (begin, title), end in zip(begins, ends, strict=True):
        inside = [token for token in tokens if token.map is not None and begin < token.map[0] < end]
        steps.append(_step(title, begin, end, lines, inside, source, problems))
    if problems:
        raise LessonError(source, problems)
    intro = "\n".join(lines[tops[0][0] + 1 : begins[0][0]]).strip()
    return Lesson(tops[0][1], intro, tuple(steps))


def without_comments(markdown: str) -> str:
    """Remove HTML comments from Markdown. Comments in code and the line breaks stay.

    >>> without_comments("A <!-- to do --> word, and `<!-- code -->`.")
    'A  word, and `<!-- code -->`.'
    """
    parts, begin, at = list[str](), 0, 0
    while match := _COMMENT_OR_CODE.search(markdown, at):
        at = match.end()
        if match[0] == _OPENED:
            end = markdown.find(_CLOSED, at)
            if end < 0:
                break
            parts += markdown[begin : match.start()], "\n" * markdown.count("\n", at, end)
            begin = at = end + len(_CLOSED)
    return "".join((*parts, markdown[begin:]))


def step_lines(text: str) -> list[int]:
    """Return the first line of each step of a text, from 0. The text need not be a valid lesson."""
    return [line for line, _ in _headings(MarkdownIt("commonmark").parse(without_comments(text)), "h2")]


def _headings(tokens: Sequence[Token], tag: str) -> list[tuple[int, str]]:
    """Return the line, from 0, and the text of each heading with a tag, such as ``h1``."""
    return [
        (_line(token), tokens[i + 1].content)
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == tag
    ]


def _step(
    title: str,
    begin: int,
    end: int,
    lines: Sequence[str],
    tokens: Sequence[Token],
    source: str,
    problems: list[Problem],
) -> Step:
    blocks = [token for token in tokens if token.type == "fence" and token.info.strip() == "yaml"]
    remaining = list(lines[begin + 1 : end])
    for token in reversed(blocks):
        first, last = token.map or (0, 0)
        del remaining[first - begin - 1 : last - begin - 1]
    text = "\n".join(remaining).strip()
    if len(blocks) > 1:
        where = _line(blocks[1]) + 1
        problems.append(Problem((title,), "a step has one block of YAML.", "Put both into one.", line=where))
    moment, key_lines = LessonMoment(), dict[KeyPath, int]()
    if blocks:
        moment, key_lines = _moment(title, blocks[0], source, problems)
    return Step(title, text, moment, begin + 1, key_lines)


def _moment(title: str, block: Token, source: str, problems: list[Problem]) -> tuple[LessonMoment, dict[KeyPath, int]]:
    """Return the moment of a block of YAML and the lines of its keys; append faults to `problems`."""
    offset = _line(block) + 1
    reader = YamlReader(block.content, source)
    try:
        data: Any = reader.document() or {}
    except SceneError as error:
        problems += (_locate_problem(problem, title, offset) for problem in error.problems)
        return LessonMoment(), {}
    lines = {path: line + offset for path, line in reader.lines.items()}
    if not isinstance(data, Mapping):
        problems.append(Problem((title,), "expected keys with values.", "Such as time: 3 s.", line=offset + 1))
        return LessonMoment(), lines
    try:
        return LessonMoment.model_validate(data), lines
    except ValidationError as error:
        faults = schema_problems(error, dict(cast("Mapping[str, Any]", data)), lines)
        problems += (_locate_problem(problem, title, 0) for problem in faults)
        return LessonMoment(), lines


def _locate_problem(problem: Problem, title: str, offset: int) -> Problem:
    line = None if problem.line is None else problem.line + offset
    return Problem((title, *problem.key_path), problem.message, problem.hint, line=line)


def _line(token: Token) -> int:
    """Return the first line of a token, from 0."""
    return 0 if token.map is None else token.map[0]


def questions(lesson: Lesson) -> Iterator[int]:
    """Yield the numbers of the steps that have a question, from 0."""
    return (i for i, step in enumerate(lesson.steps) if step.moment.question is not None)


def texts_of(moment: LessonMoment) -> Iterator[str]:
    """Yield the texts of a question: the question itself, hints, replies and options."""
    question = moment.question
    if question is None:
        return
    yield from (question.ask, *question.hints, question.if_right, question.if_wrong)
    if isinstance(question, Choose):
        yield from (text for option in question.options for text in (option.text, option.reply))
    if isinstance(question, NumberQuestion | PointQuestion | Sketch):
        yield from (misreading.reply for misreading in question.misreadings)
