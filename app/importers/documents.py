"""Documents in JSON or YAML: their top-level keys, and the kinds of known documents that are no scenes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from framescope.app.importers.foreign import ForeignKind

VERSION = "framescope"
"""Key of a scene's version."""

_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_KEYS_NAMED = 5
_KEY_LENGTH = 40
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[{}\[\]:,]|[^\s{}\[\]:,"\'][^\s{}\[\]:,]*')
_FIRST = re.compile(r"^(?:---)?([ \t]*)(?![\s#%]|---)(?=.)", re.MULTILINE)
_BEFORE = re.compile(r"(?:\ufeff|\s|---|#[^\n]*\n|%[^\n]*\n)*+")


@dataclass(frozen=True)
class TextDocument:
    """Top level of a document.

    Attributes
    ----------
    language
        ``"JSON"`` or ``"YAML"``.
    keys
        Keys of a mapping; empty for other documents.
    values
        Values of the mapping by key, for valid JSON.
    items
        Items of a list in valid JSON; None for other documents.
    fault
        Reason why JSON is invalid; empty when it is valid.
    """

    language: str
    keys: tuple[str, ...] = ()
    values: Mapping[str, Any] | None = None
    items: tuple[Any, ...] | None = None
    fault: str = ""


def text_of(data: bytes) -> str | None:
    r"""Decode a text file in UTF-8, UTF-16, UTF-32 or another encoding, with replacements; None for binary data.

    >>> text_of("a: 1".encode("utf-16")), text_of(b"caf\xe9"), text_of(b"\0\1\2\3\4")
    ('a: 1', 'caf�', None)
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data[:4]:
        wide = {(True, False): "utf-16-be", (False, True): "utf-16-le"}.get((data[0] == 0, data[1:2] == b"\0"))
        text = "" if wide is None else data.decode(wide, "replace")
        return text if all(char.isprintable() or char.isspace() for char in text[:100]) and text else None
    return None if b"\0" in data else data.decode("utf-8-sig", "replace")


def document_of(data: bytes) -> TextDocument | None:
    """Return the top level of a file's text; None for an empty file or binary data."""
    text = text_of(data)
    if text is None or not text.strip():
        return None
    begin = _BEFORE.match(text)
    at = 0 if begin is None else begin.end()
    if text[at : at + 1] in ("{", "["):
        return _parse_brackets(text[at:])
    return TextDocument("YAML", _block_keys(text))


def has_version(data: bytes, *, is_strict: bool) -> bool:
    """Return whether the top level has the version key of a scene.

    With `is_strict`, for a file that is not named as a scene, the version must also be a number.
    """
    document = document_of(data)
    if document is None or VERSION not in document.keys:
        return False
    return not is_strict or re.search(rb"framescope[\"']?\s*:\s*[\"']?\d", data.replace(b"\0", b"")) is not None


# --- Keys


def _parse_brackets(text: str) -> TextDocument:
    """Return the top level of JSON, or of YAML in brackets."""
    try:
        value: Any = json.loads(text)
    except RecursionError:
        return TextDocument("JSON", _flow_keys(text), fault="its lists or objects are nested too deep")
    except ValueError as error:
        return TextDocument("JSON", _flow_keys(text), fault=str(error))
    if isinstance(value, dict):
        values = cast("dict[str, Any]", value)
        return TextDocument("JSON", tuple(values), values)
    return TextDocument("JSON", items=tuple(cast("list[Any]", value)))


def _flow_keys(text: str) -> tuple[str, ...]:
    """Return the keys of the outer braces of a text that may be truncated or invalid."""
    keys: dict[str, None] = {}
    depth, last = 0, ""
    for match in _TOKEN.finditer(text):
        part = match[0]
        if part in "{[":
            depth += 1
        elif part in "}]":
            depth -= 1
            if depth <= 0:
                break
        elif part == ":" and depth == 1 and last:
            keys[last.strip("\"'")] = None
        last = part if part not in "{}[]:," else ""
    return tuple(keys)


def _block_keys(text: str) -> tuple[str, ...]:
    """Return the top-level keys of block YAML: those with the indentation of its first line."""
    first = _FIRST.search(text)
    if first is None:
        return ()
    # Possessive, without backtracking: else a line of blanks would be tried again at each of them.
    key = r"([\"']?)([^\s\"'#\-\[{&*!|>%@`][^\n:\"']*+)\1[ \t]*:(?=\s|\Z)"
    matches = re.findall(rf"^{first[1]}{key}", text, re.MULTILINE)
    return tuple(dict.fromkeys(name.strip() for _, name in matches))


# --- Kinds of documents


@dataclass(frozen=True)
class _Known:
    what: str
    do: str
    recognizes: Callable[[TextDocument], bool]


def _has(*keys: str) -> Callable[[TextDocument], bool]:
    return lambda document: set(keys) <= set(document.keys)


def _is_nerf(document: TextDocument) -> bool:
    frames = (document.values or {}).get("frames")
    first = cast("list[Any]", frames)[0] if isinstance(frames, list) and frames else None
    return isinstance(first, dict) and "transform_matrix" in first


def _is_gltf(document: TextDocument) -> bool:
    asset = (document.values or {}).get("asset")
    return isinstance(asset, dict) and "version" in asset


def _is_package(document: TextDocument) -> bool:
    return _has("name", "version")(document) and bool(
        {"dependencies", "devDependencies", "scripts", "main", "license"} & set(document.keys)
    )


def _is_opensfm(document: TextDocument) -> bool:
    first = (document.items or (None,))[0]
    return isinstance(first, dict) and {"cameras", "shots"} <= set(cast("dict[str, Any]", first))


_AS_POSES = "Write its poses as a CSV of number, x, y, z, qx, qy, qz, qw and import that."
_NO_POSES = "It holds no poses."

_KNOWN = (
    _Known(
        "a transforms.json of nerfstudio or instant-ngp: camera poses, which the feature calibrations reads",
        f"Install it. Or: {_AS_POSES}",
        _is_nerf,
    ),
    _Known(
        "a reconstruction of OpenMVG or Meshroom: camera poses, which Framescope cannot read yet",
        _AS_POSES,
        lambda document: _has("sfm_data_version")(document) or _has("views", "intrinsics", "poses")(document),
    ),
    _Known(
        "a reconstruction of OpenSfM: camera poses (world to camera), which Framescope cannot read yet",
        _AS_POSES,
        _is_opensfm,
    ),
    _Known(
        "a map in GeoJSON",
        "Convert its track to a CSV of time, x, y, z in metres and import that.",
        lambda document: str((document.values or {}).get("type")) in {"FeatureCollection", "Feature"},
    ),
    _Known("a model in glTF as JSON", "Save it as GLB and import that as a mesh.", _is_gltf),
    _Known("a package.json of npm", _NO_POSES, _is_package),
    _Known("a JSON Schema", _NO_POSES, _has("$schema", "properties")),
    _Known("a notebook of Jupyter", "Save the table in it as CSV and import that.", _has("nbformat", "cells")),
    _Known("a configuration of RViz", _NO_POSES, _has("Visualization Manager")),
    _Known(
        "an IMU file of Kalibr: noise alone, no pose",
        "The pose of the IMU is in the camera chain, camchain-imucam.yaml.",
        _has("accelerometer_noise_density", "gyroscope_noise_density"),
    ),
    _Known(
        "a body.yaml of EuRoC: a comment alone, no pose",
        "The poses are in sensor.yaml in the folders beside it.",
        lambda document: document.keys == ("comment",),
    ),
    _Known("a file of Docker Compose", _NO_POSES, _has("services")),
)
"""Known kinds, in the order in which they are tried."""


def known_kind(data: bytes) -> ForeignKind | None:
    r"""Return the kind of a JSON or YAML file that is known by its keys; None for others.

    >>> known_kind(b"comment: MAV\n").what
    'a body.yaml of EuRoC: a comment alone, no pose'
    """
    document = document_of(data)
    known = None if document is None else next((kind for kind in _KNOWN if kind.recognizes(document)), None)
    return None if known is None else _unread_kind(known.what, known.do)


def kind_of_document(data: bytes, scene_keys: frozenset[str]) -> ForeignKind:
    """Describe a JSON or YAML file that is no scene."""
    document = document_of(data)
    if document is None:
        what = "empty" if not data.strip(b"\0 \t\r\n") else "binary data"
        return _unread_kind(what, "A scene is text that begins with the line framescope: 1.")
    known = known_kind(data)
    if known is not None:
        return known
    if document.keys and set(document.keys) <= scene_keys:
        return _unread_kind("no scene file: the version is missing", "Begin it with the line framescope: 1.")
    do = "A scene begins with the line framescope: 1; export a recording as CSV and import that."
    if document.fault:
        return _unread_kind(f"no scene, and no valid JSON: {document.fault}", do)
    if document.items is not None:
        n = len(document.items)
        return _unread_kind(f"a list in JSON with {n} item{'s' * (n != 1)}, and no scene", do)
    if not document.keys:
        return _unread_kind("text without the keys of a scene", do)
    names = ", ".join(_key_text(key) for key in document.keys[:_KEYS_NAMED])
    more = f" and {len(document.keys) - _KEYS_NAMED} more" if len(document.keys) > _KEYS_NAMED else ""
    keys = f"key{'s' * (len(document.keys) != 1)} {names}{more}"
    return _unread_kind(f"a {document.language} file with the {keys}, and no scene", do)


def _unread_kind(what: str, do: str) -> ForeignKind:
    return ForeignKind("data", what, do, lambda _head: False)


def _key_text(key: str) -> str:
    text = key if key.isprintable() and key else ascii(key)
    return text if len(text) <= _KEY_LENGTH else f"{text[:_KEY_LENGTH]}…"
