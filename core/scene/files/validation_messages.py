"""Validation errors of the schema in plain words, each with its place in the file."""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from pydantic import ValidationError

from framescope.core.errors import KeyPath, Problem, counted, did_you_mean, visible_text
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.model import Scene

MAX_PROBLEMS = 50
"""Maximum number of problems that are listed one by one."""


def schema_problems(error: ValidationError, data: Mapping[str, Any], lines: Mapping[KeyPath, int]) -> list[Problem]:
    """Return the first problems of invalid data, and a last problem with the number of further problems."""
    n = error.error_count()
    if n > 20 * MAX_PROBLEMS:
        error = _errors_of_part(error, data)
    errors = error.errors(include_url=False)[:MAX_PROBLEMS]
    problems = [locate(_from_pydantic(e, data), lines) for e in errors]
    if n > len(errors):
        problems.append(Problem((), f"and {counted(n - len(errors), 'more problem')}."))
    return problems


def faulty_parts(error: ValidationError, data: Mapping[str, Any]) -> list[KeyPath]:
    """Return the paths of invalid parts of data; for a missing key the path of the part that lacks it."""
    return [problem.key_path for problem in (_from_pydantic(e, data) for e in error.errors(include_url=False))]


def locate(problem: Problem, lines: Mapping[KeyPath, int]) -> Problem:
    """Return the problem with the line of its key, or of the nearest key above it."""
    path = problem.key_path
    while path and path not in lines:
        path = path[:-1]
    return replace(problem, line=lines.get(path, problem.line))


def _errors_of_part(error: ValidationError, data: Mapping[str, Any]) -> ValidationError:
    """Return the errors of the first hundred items with errors; pydantic would return all errors at once, 1 kB each."""
    for section, items in data.items():
        if not isinstance(items, Mapping) or len(items) <= 100:
            continue
        pairs = iter(items.items())
        while part := dict(islice(pairs, 100)):
            try:
                Scene.model_validate({"framescope": data["framescope"], section: part})
            except ValidationError as of_part:
                return of_part
    return error


def _from_pydantic(error: Mapping[str, Any], data: Any) -> Problem:
    path = _path_in_data(error["loc"], data, keeps_last=error["type"] == "missing")
    if error["type"] in ("model_type", "model_attributes_type"):
        hint = _keys_hint(error.get("ctx", {}), path)
        return Problem(path, f"expected keys with values, got {_value_text(error['input'])}.", hint)
    if error["type"] == "value_error":
        return Problem(path, f"{error['ctx']['error']}.")
    if error["type"] == "union_tag_not_found":
        forms = ", ".join(_forms_at(path, data))
        return Problem(path, 'the key "form" is missing.', f"It says which form follows: {forms}." if forms else "")
    return _problem_of(error, path)


def _problem_of(error: Mapping[str, Any], path: KeyPath) -> Problem:
    context = error.get("ctx", {})
    match error["type"]:
        case "unknown_key":
            hint = did_you_mean(context["key"], context["known"])
            return Problem((*path, context["key"]), "unknown key.", hint)
        case "missing" if isinstance(error["loc"][-1], int):
            return Problem(path, f"the list is too short: item {error['loc'][-1] + 1} is missing.")
        case "missing":
            return Problem(path[:-1], f'the key "{path[-1]}" is missing.', f"Add {path[-1]}.")
        case "union_tag_invalid":
            tag = context["tag"]
            hint = did_you_mean(tag[:100], _expected_forms(context))
            return Problem((*path, "form"), f"{_value_text(tag)} is no form here.", hint)
        case "literal_error":
            expected = re.findall(r"'([^']*)'", context["expected"])
            hint = did_you_mean(str(error["input"])[:100], expected)
            return Problem(path, f"{_value_text(error['input'])} is not allowed here.", hint)
        case "too_long" | "too_short":
            least_or_most = "at most" if error["type"] == "too_long" else "at least"
            n = context["max_length" if error["type"] == "too_long" else "min_length"]
            return Problem(path, f"expected {least_or_most} {counted(n, 'item')}, got {context['actual_length']}.")
        case "string_too_long":
            return Problem(path, f"a text has at most {counted(context['max_length'], 'character')} here.")
        case "name":
            return Problem(path, f"{_value_text(error['input'])} is no name: {error['msg']}.")
        case _:
            return Problem(path, f"{_message(error['msg'])}, got {_value_text(error['input'])}.")


def _expected_forms(context: Mapping[str, Any]) -> list[str]:
    return [word.strip(" '") for word in context["expected_tags"].split(",")]


def _forms_at(path: KeyPath, data: Any) -> list[str]:
    """Return the forms that a place in a scene can have; pydantic lists them only where there is a wrong form."""
    section, *inside = path
    part = data[section]
    if inside and isinstance(part, Mapping):  # one item of many
        part = {inside[0]: part[inside[0]]}
    changed = {section: _with_form(part, inside, "")}
    try:
        Scene.model_validate({"framescope": 1, **changed})
    except ValidationError as error:
        for found in error.errors(include_url=False):
            if found["type"] == "union_tag_invalid" and path == _path_in_data(found["loc"], changed, keeps_last=False):
                return _expected_forms(found.get("ctx", {}))
    return []


def _with_form(data: Any, path: list[str | int], form: str) -> Any:
    """Return a copy of data in which the mapping at a path has a form."""
    if not path:
        return {**data, "form": form}
    first, *inside = path
    copy = data.copy()
    copy[first] = _with_form(data[first], inside, form)
    return copy


def _keys_hint(context: Mapping[str, Any], path: KeyPath) -> str:
    """Return a hint with the keys of an item."""
    keys = next((list(kind.model_fields) for kind in _kinds(Item) if kind.__name__ == context.get("class_name")), [])
    if keys[:2] == ["value", "unit"] and path:
        return f"Write it as {path[-1]}: {{value: [1, 2, 3], unit: m}}."
    return f"Its keys are {', '.join(keys)}." if keys else ""


def _kinds(kind: type[Item]) -> Iterator[type[Item]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds(below)


def _path_in_data(loc: tuple[str | int, ...], whole: object, *, keeps_last: bool) -> KeyPath:
    """Return pydantic's location without the parts that are not keys of the file, such as union tags.

    The name of a missing key stays, although the file does not contain it.
    """
    path: list[str | int] = []
    data: Any = whole
    for i, part in enumerate(loc):
        is_last = i == len(loc) - 1
        is_mapping = isinstance(data, Mapping)
        is_item = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if is_item or (is_mapping and part in data):
            parent: Any = data
            data = parent[part]
        elif not (keeps_last and is_last and is_mapping):
            continue
        path.append(part)
    return tuple(path)


def _message(message: str) -> str:
    plain = {
        "Input should be a valid dictionary": "expected a mapping of keys and values",
        "Input should be a valid string": "expected text",
        "Input should be a valid boolean": "expected true or false",
        "Input should be a valid tuple": "expected a list",
    }
    return plain.get(message, message[:1].lower() + message[1:] if message.startswith("Input") else message)


def _value_text(value: object) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nothing"}[value]
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = repr(value) if not isinstance(value, str) else f'"{visible_text(value)}"'
    return text if len(text) <= 60 else text[:57] + "…"
