"""Labels of the scene's fields: names, descriptions, and what they may refer to. Keyed by model and field.

The texts are in ``assets/field_labels.toml``. A key ``(None, field)`` applies to all models without their own entry.
"""

from __future__ import annotations

import tomllib
from collections import ChainMap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from framescope import assets
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES
from framescope.core.scene.files.referenced_files import (
    BAG_FILES,
    MESH_FILES,
    PICTURE_FILES,
    POINT_FILES,
    ROBOT_FILES,
    SOUND_FILES,
    TABLE_FILES,
    TEXT_FILES,
)
from framescope.core.scene.schema.model import ITEM_KINDS

Key = tuple[str | None, str]

_WORDS: dict[str, dict[str, Any]] = tomllib.loads(assets.path("field_labels.toml").read_text(encoding="utf-8"))


def _by_model_and_field(words: dict[str, str]) -> dict[Key, str]:
    parts = ((*key.rpartition("."), text) for key, text in words.items())
    return {(model or None, field): text for model, _, field, text in parts}


LABELS = ChainMap(_by_model_and_field(_WORDS["labels"]))
"""Labels of fields that differ from their keys."""

FIRST: dict[str, list[str]] = _WORDS["first"]
"""Fields that come first in the inspector, by model, such as the frames of a sensor in the order of a question."""

HELP = ChainMap(_by_model_and_field(_WORDS["help"]))
"""Descriptions of fields, one sentence each."""

ABSENT = ChainMap(_by_model_and_field(_WORDS["absent"]))
"""Meaning of an optional field that is left out."""

FORMS: dict[str, str] = _WORDS["forms"]
"""Texts of the window for words of the file that differ."""

DIMENSIONS = ChainMap(_by_model_and_field(_WORDS["dimensions"]))
"""Dimensions of quantities, and of units beside numbers."""

SCALES: dict[str, tuple[str, ...]] = {
    "Position": ("value",),
    "Axes": ("angles",),
    "Extrinsic": ("angles",),
    "Rpy": ("angles",),
    "Planar": ("angle",),
    "Axis": ("angle",),
    "Integrated": ("w",),
    "Joint": ("value",),
    "Velocity": ("value",),
    "AngularVelocity": ("value",),
    "Box": ("size",),
    "Ellipsoid": ("radii",),
    "Inertia": ("value",),
    "Offset": ("value",),
    "ForceElement": ("signal",),
    "VelocityElement": ("signal",),
    "Gravity": ("value",),
    "Camera": ("position", "focal_point"),
    "Keyframes": ("keys.position",),
    "CameraPath": ("keys.position", "keys.focal_point"),
}
"""Fields that the `unit` of a model applies to. A single one has the unit beside it. Other units are of file columns.
"""

CHOICES: ChainMap[Key, tuple[str, ...]] = ChainMap(
    {
        (None, "sequence"): tuple(SEQUENCES),
        ("Extrinsic", "sequence"): EXTRINSIC_SEQUENCES,
        ("AngleColumns", "sequence"): (*SEQUENCES, *EXTRINSIC_SEQUENCES),
        (None, "order"): ("xyzw", "wxyz"),
        (None, "maps"): ("parent to frame", "frame to parent"),
        ("Axis", "axis"): ("x", "y", "z"),
        ("AngularVelocity", "resolved_in"): ("world", "frame"),
    }
)
"""Allowed words of fields that are plain texts in the schema."""

WITHOUT_WORLD = {
    ("Simulated", "like"),
    *((model, "frame") for model in ("Rings", "Arcs", "IntermediateFrames", "Trail")),
    ("Note", "frame"),
}
"""Fields for names of frames that exclude the world."""

AXES = {("AbsoluteSensor", "frame_resolve"): "resolve_in_frame_a", ("RelativeSensor", "resolve_in"): ""}
"""Fields for the frame in whose axes a sensor gives its components, with another field that the same editor sets."""

FILES: dict[tuple[str, str], tuple[str, ...]] = {
    ("MeshFile", "file"): MESH_FILES,
    ("CameraShape", "picture"): PICTURE_FILES,
    ("PointsFile", "file"): POINT_FILES,
    ("Film", "sound"): SOUND_FILES,
    ("RobotFile", "file"): ROBOT_FILES,
    ("Recorded", "file"): TABLE_FILES,
    ("Recorded", "times"): TEXT_FILES,
    ("MeasuredVector", "file"): TABLE_FILES,
    ("RecordedSensor", "file"): TABLE_FILES,
    ("JointRecording", "file"): (*TABLE_FILES, *BAG_FILES),
}
"""Fields for file names, and the allowed endings."""

PARAGRAPHS = {("Note", "text"): 4, ("DollyCamera", "to"): 2, **{("Cue", kind): 2 for kind in ITEM_KINDS}}
"""Fields for texts of several lines, with the number of lines that are seen at once."""

NAMES: dict[tuple[str, str], tuple[str, ...]] = {}
"""Fields for names of items that are no references within a scene, with the kinds of the items: those of features."""

TEXTS: set[tuple[str, str]] = set()
"""Fields of free text whose key means something else in a scene."""


def add_words(
    path: Path,
    *,
    choices: Mapping[Key, tuple[str, ...]],
    names: Mapping[tuple[str, str], tuple[str, ...]],
    paragraphs: Mapping[tuple[str, str], int],
    texts: frozenset[tuple[str, str]],
) -> None:
    """Add the words for the fields of a feature's models, from a file like `assets/field_labels.toml`."""
    words = tomllib.loads(path.read_text(encoding="utf-8"))
    for table, key in ((LABELS, "labels"), (HELP, "help"), (ABSENT, "absent"), (DIMENSIONS, "dimensions")):
        table.maps.append(_by_model_and_field(words.get(key, {})))
    FIRST.update(words.get("first", {}))
    CHOICES.maps.append(dict(choices))
    NAMES.update(names)
    PARAGRAPHS.update(paragraphs)
    TEXTS.update(texts)


def word_of(words: Mapping[Key, str], model: str, key: str) -> str | None:
    """Return the entry of a table for a field of a model, or None."""
    return words.get((model, key), words.get((None, key)))
