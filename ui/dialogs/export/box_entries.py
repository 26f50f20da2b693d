"""Entries of the boxes of the export form: what each offers, and in which words."""

from __future__ import annotations

from framescope.ui.dialogs.export.options import Size

SIZES: dict[str, Size] = {
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "4K": (3840, 2160),
    "8K": (7680, 4320),
    "square": (1080, 1080),
    "small": (640, 360),
}


RATES = (10, 15, 24, 25, 30, 50, 60)


TABLE_RATES = (1, 10, 30, 100, 1000)


THEMES = {"dark": "Dark", "light": "Light", "white": "White, for papers"}


SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)


TEXT_SIZES = (0.75, 1.0, 1.25, 1.5, 2.0, 3.0)


QUALITIES = {"small": "Small file", "good": "Good", "best": "Best, large file"}


LAYOUTS = {"scene": "The scene alone", "plots": "With plots", "lecture": "As a lecture"}


ACCURACIES = {
    0.001: "0.001° between samples",
    0.005: "0.005°, as exact as read-outs",
    0.05: "0.05°, to look at",
    0.5: "0.5°, for a small file",
}


CAMERAS = {"As the scene says": False, "As the window shows it now": True}
