"""Labels of the fields of a scene: names, meanings, and what they may refer to. Keyed by model and field.

The words stand in ``assets/field_labels.toml``. A key ``(None, field)`` holds for every model that has no entry of its
own.
"""

from __future__ import annotations

import tomllib

from framescope import assets
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.files.referenced_files import BAG_FILES, MESH_FILES, ROBOT_FILES, TABLE_FILES, TEXT_FILES

Key = tuple[str | None, str]

_WORDS: dict[str, dict[str, str]] = tomllib.loads(assets.path("field_labels.toml").read_text(encoding="utf-8"))


def _keyed(words: dict[str, str]) -> dict[Key, str]:
    parts = ((*key.rpartition("."), text) for key, text in words.items())
    return {(model or None, field): text for model, _, field, text in parts}


LABELS = _keyed(_WORDS["labels"])
"""What a field is called where that is not its key."""

HELP = _keyed(_WORDS["help"])
"""What a field is, in a sentence."""

ABSENT = _keyed(_WORDS["absent"])
"""What holds where an optional field is left out."""

FORMS = _WORDS["forms"]
"""Words of the file that the window says otherwise."""

DIMENSIONS = _keyed(_WORDS["dimensions"])
"""Of quantities, and of units beside numbers."""

SCALES: dict[str, tuple[str, ...]] = {
    "Position": ("value",),
    "Axes": ("angles",),
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
"""What the unit of a model is that of; one alone has the unit beside it. The others are columns of files."""

CHOICES: dict[Key, tuple[str, ...]] = {
    (None, "sequence"): tuple(SEQUENCES),
    ("AngleColumns", "sequence"): (*SEQUENCES, *(sequence.lower() for sequence in SEQUENCES)),
    (None, "order"): ("xyzw", "wxyz"),
    (None, "maps"): ("parent to frame", "frame to parent"),
    ("Axis", "axis"): ("x", "y", "z"),
    ("AngularVelocity", "resolved_in"): ("world", "frame"),
}
"""Texts of the schema that only some words will do for."""

WITHOUT_WORLD = {
    ("Simulated", "like"),
    *((model, "frame") for model in ("Rings", "Arcs", "IntermediateFrames", "Trail")),
    ("Note", "frame"),
}
"""Names of frames, of which the world is none."""

FILES: dict[tuple[str, str], tuple[str, ...]] = {
    ("MeshFile", "file"): MESH_FILES,
    ("RobotFile", "file"): ROBOT_FILES,
    ("Recorded", "file"): TABLE_FILES,
    ("Recorded", "times"): TEXT_FILES,
    ("MeasuredVector", "file"): TABLE_FILES,
    ("RecordedSensor", "file"): TABLE_FILES,
    ("JointRecording", "file"): (*TABLE_FILES, *BAG_FILES),
}
"""Texts that are names of files, and the endings they may have."""

PARAGRAPHS = {("Note", "text")}
"""Texts of several lines."""


def word_of(words: dict[Key, str], model: str, key: str) -> str | None:
    """Return what a table says of a field of a model."""
    return words.get((model, key), words.get((None, key)))
