"""Write the page of the manual that is generated from the schema: ``python -m tests.tools.make_manual``.

Each kind of item in a scene file gets the docstring of its model, its keys, and the first example of this kind in the
example scenes or on the page about the scene file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from framescope import assets
from framescope.app.session.scene_lookup import example_names, example_path
from framescope.core.scene.files.json_schema import schema_text
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.quantities import PATTERN

PAGE = "scene-keys"
HEX = "#[0-9a-fA-F]{6}"
TYPES = {
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
}
HEAD = """# The keys of a scene file

This page lists all kinds of items in a scene file, in alphabetical order, each with its keys, their values and their
defaults. Keys without a default are required. [The scene file](scene-file.md) explains how the items work together.

The page is generated from the schema, and the test suite reads its examples.
"""


def page() -> str:
    """Return the text of the page."""
    schema: dict[str, Any] = json.loads(schema_text())
    parts = [HEAD]
    kinds = {"Scene": schema, **dict(sorted(schema["$defs"].items()))}
    examples_by_kind = examples()
    for name, kind in kinds.items():
        if "properties" not in kind:
            continue
        parts.append(f"## {words(name).capitalize()}\n")
        parts.append(f"{plain(kind.get('description', ''))}\n")
        parts.append(table(kind))
        if name in examples_by_kind and name != "Scene":
            parts.append(f"```text\n{example_text(examples_by_kind[name])}```\n")
    return "\n".join(parts)


def table(kind: dict[str, Any]) -> str:
    """Return the keys of one kind as a table."""
    required = kind.get("required", [])
    rows = ["| key | value | default |", "|---|---|---|"]
    for key, field in kind["properties"].items():
        description = plain(field.get("description", ""))
        values = value_text(field) + (f". {description}" if description else "")
        default = "" if key in required else default_text(field.get("default"))
        rows.append(f"| `{key}` | {cell(values)} | {cell(default)} |")
    return "\n".join(rows) + "\n"


def value_text(field: dict[str, Any]) -> str:
    """Return the allowed values of a field in words."""
    if "$ref" in field:
        name = words(field["$ref"].rsplit("/", 1)[-1])
        return f"[{name}](#{name.replace(' ', '-')})"
    for key in ("anyOf", "oneOf"):
        if key in field:
            kinds = [value_text(option) for option in field[key] if option.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{one}`" for one in field["enum"])
    if field.get("type") == "array":
        return array_text(field)
    if isinstance(field.get("additionalProperties"), dict):
        return f"by name: {value_text(field['additionalProperties'])}"
    if "pattern" in field and field["pattern"] != PATTERN:  # one word of several
        return ", ".join(f"`{one}`" for one in field["pattern"].strip("^()$").replace(HEX, "#rrggbb").split("|"))
    if "pattern" in field:
        return "a number with its unit"
    return TYPES.get(field.get("type", ""), "anything")


def array_text(field: dict[str, Any]) -> str:
    """Return the allowed elements of a list in words."""
    if "prefixItems" in field:
        kinds = list(dict.fromkeys(value_text(element) for element in field["prefixItems"]))
        return f"{len(field['prefixItems'])} of: {', '.join(kinds)}"
    return f"a list of: {value_text(field['items'])}" if "items" in field else "a list"


def default_text(value: object) -> str:
    """Return the default of a key in words."""
    if value is None or value in ({}, [], ""):
        return "nothing"
    if isinstance(value, dict):
        is_quantity = set(value) == {"value", "unit"}
        if is_quantity:
            return f"`{value['value']:g} {value['unit']}`"
        is_plain = all(isinstance(one, str) for one in value.values())
        return f"`{', '.join(f'{key}: {one}' for key, one in value.items())}`" if is_plain else "see there"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def examples() -> dict[str, Item]:
    """Return the first item of each kind in the example scenes and in the manual."""
    found: dict[str, Item] = {}
    scenes = [load_scene(example_path(name)).scene for name in example_names() if name != "field"]
    text = (assets.path("manual") / "scene-file.md").read_text("utf-8")
    scenes += [parse_scene(one)[0] for one in re.findall(r"^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]
    for scene in scenes:
        for item in items_in(scene):
            found.setdefault(type(item).__name__, item)
    return found


def items_in(value: object) -> Iterator[Item]:
    """Yield a model and all models in it."""
    if isinstance(value, Item):
        yield value
        for key in type(value).model_fields:
            yield from items_in(getattr(value, key))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from items_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from items_in(inner)


def example_text(item: Item) -> str:
    """Return an item as YAML."""
    data = item.model_dump(exclude_unset=True, mode="json")
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)


def words(name: str) -> str:
    """Return the name of a class as words: AbsoluteSensor is absolute sensor."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def plain(text: str) -> str:
    """Return a description on one line, in Markdown."""
    return " ".join(text.replace("``", "`").split())


def cell(text: str) -> str:
    """Return a text for a cell of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    (assets.path("manual") / f"{PAGE}.md").write_text(page(), encoding="utf-8", newline="\n")
