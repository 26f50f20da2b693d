"""Scene whose every text is one that a page, a table, a terminal or a window could take for more than text."""

from __future__ import annotations

from typing import Any

import yaml

from framescope.core.scene.schema.base import Item
from tests.support.whole import WHOLE

MARK = "hostile"
NAME = '=1+1 <img src="http://127.0.0.1:9/a" onerror=alert(1)>\'"`&amp;{{@0}}{{script}}${x}\\u003c hostile '
"""Begins every name: a formula of spreadsheets, elements, ends of attributes, marks of templates."""
TEXT = f"</script></style><!--]]>{NAME}\x1b[31m\x9b2J\u202e\r\ue0000\ue001 $\\text{{</mtext><iframe src=x>}}$ **<b>**"
"""The same for a text, with controls of terminals and ends of blocks."""

MORE = """\
notes:
  note: {text: "TEXT", frame: arm, position: {value: [0, 0, 0], unit: m}, size: large}
"""

NOT_TEXT = {
    "unit": "unit", "time_unit": "unit", "position_unit": "unit",
    "file": "file", "times": "file", "folder": "file", "series": "feed of a program",
    "sequence": "axes", "color": "colour", "maps": "one of two", "order": "one of two", "wrapped": "yes or no",
    "column": "column of a file", "columns": "column of a file", "position": "column of a file",
    "time": "column of a file or time", "values": "column of a file",
    "received_from": "stamp", "received_until": "stamp", "zero": "stamp",
    "a": "scale", "v": "scale", "w": "scale or expression", "z": "scale", "mass": "mass", "axis": "axis",
    "signal": "expression", "value": "expression, or a cell of a file", "angle": "expression", "angles": "expression",
    "also": "name in a bag", "frame": "name in a bag", "name": "name in a bag or package", "namespace": "name in a bag",
    "topic": "name in a bag", "without": "name in a bag", "components": "letters of a signal",
    "sound": "file", "picture": "file", "language": "letters and hyphens",
}  # fmt: skip
"""Strings of the schema that are no words of a person, by the names of their fields: what each is checked to be."""

LENGTHS = {
    *(
        "bandwidth",
        "orientation_bandwidth",
        "damping",
        "delay",
        "depth",
        "duration",
        "end",
        "forces",
        "grid",
        "guess_angle1",
        "height",
        "length",
        "ring_radius",
        "tube_radius",
    ),
    *("max_step", "radius", "rate", "start", "step", "stiffness", "torques", "triad_length", "view_angle", "width"),
    *("arrow", "s"),
    *("blend", "fade", "freeze", "pause"),
}
"""Quantities: a number with its unit."""


def hostile_scene() -> dict[str, Any]:
    """Return a scene of every kind of item, with hostile names and texts."""
    data: dict[str, Any] = yaml.safe_load(WHOLE) | yaml.safe_load(MORE.replace("TEXT", "note text"))
    kinds = ("frames", "bodies", "points", "elements", "sensors", "measured", "notes")
    names = {name: f"{NAME}{name}" for kind in kinds for name in data[kind]}
    made = _renamed(data, names)
    made["title"], made["source"] = TEXT, TEXT
    for note in made["notes"].values():
        note["text"] = TEXT
    for plot in made["view"]["plots"]:
        plot["title"] = TEXT
    for item in made["measured"].values():
        if "source" in item:
            item["source"]["entry"] = NAME
    texts = [{"form": "lower third", "text": TEXT, "below": TEXT}, {"form": "caption", "text": TEXT}]
    card = {"title": TEXT, "text": TEXT, "licence": TEXT[:900]}
    made["film"] = {f"{NAME}film": {"title": TEXT, "shots": [{"title": TEXT, "texts": texts}], "end_card": card}}
    return made


def _renamed(data: Any, names: dict[str, str]) -> Any:
    if isinstance(data, dict):
        return {names.get(key, key) if isinstance(value, dict | list) else key: _renamed(value, names)
                for key, value in data.items()}  # fmt: skip
    if isinstance(data, list):
        return [_renamed(value, names) for value in data]
    return names.get(data, data) if isinstance(data, str) else data


def hostile_fields(item: Any, owner: str = "") -> set[str]:
    """Return the fields of a scene that have a hostile text, as ``Model.field``."""
    if isinstance(item, Item):
        found = (
            hostile_fields(getattr(item, name), f"{type(item).__name__}.{name}") for name in type(item).model_fields
        )
        return set().union(*found)
    if isinstance(item, str):
        return {owner} if MARK in item else set()
    if hasattr(item, "items"):
        keys = {f"{owner}{{}}"} if any(MARK in str(key) for key in item) else set[str]()
        return keys.union(*(hostile_fields(value, owner) for value in item.values()))
    if isinstance(item, tuple | list):
        return set[str]().union(*(hostile_fields(value, owner) for value in item))
    return set()


def text_fields(schema: dict[str, Any]) -> set[str]:
    """Return the fields of a JSON Schema that take a string, or names of one's own as keys, as ``Model.field``."""
    kinds: dict[str, Any] = schema.get("$defs", {})

    def takes_text(form: dict[str, Any]) -> bool:
        if "$ref" in form:
            named = kinds[form["$ref"].rpartition("/")[2]]
            return named.get("type") != "object" and takes_text(named)
        if form.get("type") == "string":
            return "enum" not in form and "const" not in form
        parts = [part for key in ("anyOf", "oneOf", "allOf", "prefixItems") for part in form.get(key, ())]
        return any(map(takes_text, parts)) or (form.get("type") == "array" and takes_text(form.get("items", {})))

    found: set[str] = set()
    for name, kind in ((schema.get("title", ""), schema), *kinds.items()):
        for field, form in kind.get("properties", {}).items():
            if takes_text(form):
                found.add(f"{name}.{field}")
            if form.get("type") == "object" and "additionalProperties" in form:
                found.add(f"{name}.{field}{{}}")
    return found
