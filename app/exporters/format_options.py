"""Sets of option names that formats accept."""

from __future__ import annotations

PART = frozenset({"start", "stop"})
RANGE = PART | {"fps"}
PICTURES = frozenset({"size", "theme", "bare", "angle_unit", "text_size", "captions", "title", "license"})
ALPHA = frozenset({"transparent"})
VIEW = frozenset(
    {"layout", "plots", "frame", "camera", "follow", "turning", "turns", "bounce", "eye", "eye_time", "speed", "hold"}
)
"""Composition, camera and speed of a film."""
FRAMES = RANGE | PICTURES | VIEW | {"jobs", "film"}
FILM = FRAMES | {"cluster"}
CODED = FILM | {"quality"}
"""Options of films whose encoder has a quality setting."""
MODEL = PART | {"theme", "accuracy"}
"""Options of models sampled to an accuracy; USD also counts time in frames."""
STILL = PICTURES | {"layout", "plots", "frame", "moment", "samples", "eye"}
"""Options of a single picture, drawn as a film with a single frame."""

NOTHING: frozenset[str] = frozenset()
