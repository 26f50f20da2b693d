"""Options that formats take, as sets of names."""

from __future__ import annotations

PART = frozenset({"start", "stop"})
RANGE = PART | {"fps"}
PICTURES = frozenset({"size", "theme", "bare", "angle_unit", "text_size", "captions", "title", "license"})
ALPHA = frozenset({"transparent"})
VIEW = frozenset(
    {"layout", "plots", "frame", "camera", "follow", "turning", "turns", "bounce", "eye", "eye_time", "speed", "hold"}
)
"""What a moving picture is composed of, from where it is seen, and how fast it goes."""
FRAMES = RANGE | PICTURES | VIEW | {"jobs"}
FILM = FRAMES | {"cluster"}
CODED = FILM | {"quality"}
"""Of films whose encoder leaves out what is hardly seen."""
MODEL = PART | {"theme", "accuracy"}
"""What is sampled by its error; USD counts its time in frames besides."""
STILL = PICTURES | {"layout", "plots", "frame", "moment", "samples", "eye"}
"""What one picture of a moment takes: it is a film of one frame."""

NOTHING: frozenset[str] = frozenset()
