"""Text of a step as values of fields, and back: fields that are missing or invalid stay open, and the rest is kept."""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, cast, get_args, get_origin

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import TypeAdapter, ValidationError

from framescope.core.errors import SceneError
from framescope.core.scene.files.saving import data_text
from framescope.core.scene.files.yaml_reading import YamlReader
from framescope.core.scene.schema.base import Item, Vector3
from framescope.core.scene.schema.model import Scene
from framescope.features.lessons.core.lesson import step_lines, without_comments
from framescope.features.lessons.core.schema import Choose, CurveMisreading, LessonMoment, Sketch, Turn

FENCE = "```"
_TICKS = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


class StepFields(Item):
    """Fields of a step: `title`, `words` in Markdown, and `moment`."""

    title: str = ""
    words: str = ""
    moment: LessonMoment = LessonMoment()


class StepScene(Scene):
    """Scene of a step together with the fields of the step, so that the editors of scenes edit both."""

    step: StepFields = StepFields()


def step_scene(scene: Scene, fields: StepFields) -> StepScene:
    """Return a scene with the fields of a step."""
    values = {key: getattr(scene, key) for key in Scene.model_fields}
    return StepScene.model_construct(scene.model_fields_set, **values, step=fields)


@dataclass(frozen=True)
class StepText:
    """Text of a step that was read as fields.

    Attributes
    ----------
    fields
        Values of the fields. Required values that are missing or invalid are None, empty or zero.
    problem
        Why the block of YAML cannot be read at all; empty if it can. Then the fields must not be edited.
    """

    fields: StepFields
    problem: str = ""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lines: Sequence[str] = ()
    heading: tuple[int, int] = (0, 0)
    block: tuple[int, int] | None = None


def read_step(source: str) -> StepText:
    r"""Return the text of a step as fields.

    >>> step = read_step("## A\n\nWhy?\n\n```yaml\ntime: 3 s\nquestion: {form: number, value: wrong}\n```\n").fields
    >>> step.title, step.words, str(step.moment.time), step.moment.question.value
    ('A', 'Why?', '3 s', None)
    """
    lines = source.rstrip("\n").split("\n")
    tokens = MarkdownIt("commonmark").parse(without_comments(source))
    headings = [(i, token.map) for i, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    at, heading = headings[0] if headings else (0, None)
    title = tokens[at + 1].content if heading is not None else ""
    first, last = heading or (0, 0)
    fences = [token for token in tokens if token.type == "fence" and token.info.strip() == "yaml" and token.map]
    span = fences[0].map if fences else None
    block = None if span is None else (span[0], span[1])
    begin, end = block or (len(lines), len(lines))
    words = "\n".join((*lines[:first], *lines[last:begin], *lines[end:])).strip("\n")
    data: Any = {}
    problem = ""
    if block is not None:
        try:
            data = YamlReader(fences[0].content, "step").document() or {}
        except SceneError as error:
            problem = f"{error.problems[0].message} {error.problems[0].hint}".strip()
            data = {}
    open_fences = (token for token in tokens if token.type == "fence" and not _is_closed(token, lines))
    if not problem and any(open_fences):
        problem = f"a block that begins with {FENCE} has no end. Add a line with {FENCE} below it."
    if not problem and any(token.type == "html_block" and _is_open_comment(token.content) for token in tokens):
        problem = "a comment that begins with <!-- has no end. Add --> behind it."
    if not isinstance(data, Mapping):
        data, problem = {}, "expected keys with values, such as time: 3 s."
    data = cast("Mapping[str, Any]", data)
    moment = cast("LessonMoment", _open_item(LessonMoment, data))
    fields = StepFields.model_construct(title=title, words=words, moment=moment)
    return StepText(fields, problem, data, lines, (first, last), block)


def _is_open_comment(html: str) -> bool:
    return html.rfind("<!--") > html.rfind("-->")


def _is_closed(fence: Token, lines: Sequence[str]) -> bool:
    """Return whether the last line of a fence ends it."""
    begin, end = fence.map or (0, 0)
    last = lines[end - 1].strip() if begin < end - 1 < len(lines) else ""
    return len(last) >= len(fence.markup) and set(last) == {fence.markup[0]}


def write_step(step: StepText, after: StepFields) -> str:
    """Return the text of a step with changed fields. Everything else in the text stays as it is written."""
    before, lines = step.fields, list(step.lines)
    data = _merge(step.data, _plain(before.moment), _plain(after.moment))
    original = ""
    if step.block is not None:
        original = "".join(f"{line}\n" for line in lines[step.block[0] + 1 : step.block[1] - 1])
    yaml = (original if data == step.data else data_text(data, original)).rstrip("\n")
    fence = _fence_around(yaml)
    block = [f"{fence}yaml", *([yaml] if yaml else []), fence] if yaml or step.block is not None else []
    first, last = step.heading
    heading = lines[first:last] if after.title == before.title else [f"## {' '.join(after.title.split())}".rstrip()]
    if after.words != before.words:
        words = after.words.strip("\n").split("\n")
        own = next(iter(step_lines(after.words.strip("\n"))), len(words))  # a heading in the words begins another step
        parts = ["\n".join(part).strip("\n") for part in (heading, words[:own], block, words[own:])]
        return "\n\n".join(part for part in parts if part) + "\n"
    begin, end = step.block or (len(lines), len(lines))
    if step.block is None and block:
        block = ["", *block]
    if last == 0:
        heading = [] if after.title == before.title else [*heading, ""]
    parts = (*lines[:first], *heading, *lines[last:begin], *block, *lines[end:])
    return "\n".join(parts).rstrip("\n") + "\n"


def settle(before: StepFields, after: StepFields) -> StepFields:
    """Return the fields after an edit, without what the edit replaces: another right option, time or curve."""
    old, new = before.moment.question, after.moment.question
    if isinstance(new, Choose):
        rights = [i for i, option in enumerate(new.options) if option.right]
        was = {i for i, option in enumerate(old.options) if option.right} if isinstance(old, Choose) else set[int]()
        added = [i for i in rights if i not in was]
        if len(rights) > 1 and len(added) == 1 and isinstance(old, Choose) and len(old.options) == len(new.options):
            options = tuple(
                option if i == added[0] or not option.right else _without(option, "right")
                for i, option in enumerate(new.options)
            )
            new = new.model_copy(update={"options": options})
    elif isinstance(new, Turn) and isinstance(old, Turn):
        new = _keep_newer(old, new, "at", "to")
    elif isinstance(new, Sketch) and isinstance(old, Sketch) and len(old.misreadings) == len(new.misreadings):
        pairs = zip(old.misreadings, new.misreadings, strict=True)
        curves = tuple(cast("CurveMisreading", _keep_newer(a, b, "signal", "expression")) for a, b in pairs)
        new = new if curves == new.misreadings else new.model_copy(update={"misreadings": curves})
    if new is after.moment.question:
        return after
    return after.model_copy(update={"moment": after.moment.model_copy(update={"question": new})})


def _keep_newer(old: Item, new: Item, first: str, second: str) -> Any:
    """Return an item with only one of two fields: the one that an edit has set."""
    if not (getattr(new, first) and getattr(new, second)):
        return new
    for key, other in ((first, second), (second, first)):
        if getattr(new, key) != getattr(old, key):
            return _without(new, other)
    return new


def _without(item: Item, key: str) -> Any:
    copy = item.model_copy(update={key: type(item).model_fields[key].get_default()})
    copy.__pydantic_fields_set__.discard(key)
    return copy


def _plain(moment: LessonMoment) -> dict[str, Any]:
    data = moment.model_dump(mode="json", exclude_unset=True, warnings=False)
    if moment.question is not None:
        data["question"] = {"form": moment.question.form, **data["question"]}  # the form first
    return data


def _fence_around(yaml: str) -> str:
    """Return a fence that no line of a block ends."""
    return "`" * max((len(ticks) + 1 for ticks in _TICKS.findall(yaml)), default=len(FENCE))


# Reading of incomplete data


def _open_item(model: type[Item], data: Mapping[str, Any]) -> Item:
    """Return an item of the valid values of some data. The other fields are at their default, or open."""
    values: dict[str, Any] = {}
    written: set[str] = set()
    for key, info in model.model_fields.items():
        if key in data:
            try:
                values[key] = _adapter(model, key).validate_python(data[key])
            except ValidationError:
                value = _open_value(info.annotation, data[key])
                if value is None:
                    values[key] = _blank(info)
                    continue
                values[key] = value
            written.add(key)
        else:
            values[key] = _blank(info)
    return model.model_construct(written, **values)


def _open_value(annotation: Any, data: Any) -> Any:
    """Return the value of invalid data with parts that are items; None without such parts."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if isinstance(annotation, type) and issubclass(annotation, Item):
        form = annotation.model_fields.get("form")
        is_meant = isinstance(data, Mapping) and (form is None or data.get("form") in get_args(form.annotation))
        return _open_item(annotation, cast("Mapping[str, Any]", data)) if is_meant else None
    if get_origin(annotation) is tuple and get_args(annotation)[-1] is Ellipsis:
        entries = cast("list[Any]", data) if isinstance(data, list) else []
        items = [_open_value(get_args(annotation)[0], entry) for entry in entries]
        return tuple(items) if items and all(isinstance(item, Item) for item in items) else None
    values = (_open_value(part, data) for part in get_args(annotation) if part is not type(None))
    return next((value for value in values if isinstance(value, Item | tuple)), None)


def _blank(info: Any) -> Any:
    """Return the value of a field that is missing or invalid."""
    if not info.is_required():
        return info.get_default()
    annotation = info.annotation
    if annotation == Vector3:
        return (0.0, 0.0, 0.0)
    if annotation is str:
        return ""
    return () if get_origin(annotation) is tuple else None


@cache
def _adapter(model: type[Item], key: str) -> TypeAdapter[Any]:
    info = model.model_fields[key]
    annotated: Any = Annotated[info.annotation, info]  # pyright: ignore[reportInvalidTypeForm] - made of a field
    return TypeAdapter(annotated)


# Writing of changes


def _merge(written: Any, before: Any, after: Any) -> Any:
    """Return data with the changes from one value to another. Parts that no value has, such as invalid ones, stay."""
    if before == after:
        return written
    if isinstance(written, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping):
        if before.get("form") != after.get("form"):
            return after
        merged = {key: value for key, value in written.items() if key in after or key not in before}
        for key, value in after.items():
            merged[key] = _merge(written[key], before[key], value) if key in before and key in written else value
        return merged
    if not (isinstance(written, list) and isinstance(before, list) and isinstance(after, list)):
        return after
    return _merge_lists(written, before, after) if len(written) == len(before) else after


def _merge_lists(written: list[Any], before: list[Any], after: list[Any]) -> list[Any]:
    if len(before) == len(after):
        return [_merge(*parts) for parts in zip(written, before, after, strict=True)]
    least = min(len(before), len(after))
    head = next((i for i in range(least) if before[i] != after[i]), least)
    tail = next((i for i in range(least - head) if before[-1 - i] != after[-1 - i]), least - head)
    return [*written[:head], *after[head : len(after) - tail], *written[len(written) - tail :]]


_OPEN_KEY = re.compile(r'the key "(.+)" is missing')


def missing_key(message: str) -> str:
    """Return the key that a problem misses; empty for other problems.

    >>> missing_key('the key "ask" is missing.')
    'ask'
    """
    match = _OPEN_KEY.match(message)
    return "" if match is None else match[1]
