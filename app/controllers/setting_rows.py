"""Settings that the user chooses in the dialog of the settings, in its order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from framescope.app.storage.settings import AS_WINDOW, LAST_TIME, Settings
from framescope.core.kernels.validation import SEQUENCES
from framescope.ui.dialogs.settings.setting_row import SettingRow, Value
from framescope.ui.exports.options import COLOURS, QUALITIES, RATES, SIZES
from framescope.ui.scene_view.interaction.navigation import PRESETS

SCALES = (0.75, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5)
"""Selectable sizes of the interface, as factors of the default."""

_LOOK, _NUMBERS, _VIEW, _FILMS = "Appearance", "Numbers and rotations", "3D view", "Films"
_AS_LAST: tuple[str, Value] = ("As in the last export", LAST_TIME)
_KNOWN_SEQUENCES = {"ZYX": "ZYX, yaw pitch roll", "ZXZ": "ZXZ, classic Euler"}
_FILM_WORDS = "video movie animation export defaults mp4 webm"


def _row(name: str, group: str, title: str, text: str, choices: tuple[tuple[str, Any], ...], **more: Any) -> SettingRow:
    setting = vars(Settings)[name]
    return SettingRow(name, setting.key, group, title, text, choices, setting.usual, **more)


def _gestures_of(preset: Value) -> str:
    return PRESETS[str(preset)].summary


ROWS = (
    _row(
        *("theme", _LOOK, "Theme", "Colours of the window. Ctrl T switches between dark and light."),
        (("Dark", "dark"), ("Light", "light"), ("As the desktop", "system")),
        words="mode night day colors appearance style system automatic",
    ),
    _row(
        *("font_scale", _LOOK, "Size of everything", "Text and controls; the window opens again in the new size."),
        tuple((f"{scale:.0%}", scale) for scale in SCALES),
        words="text font zoom scale larger smaller bigger dpi projector",
    ),
    _row(
        *("angle_unit", _NUMBERS, "Angle unit", "Unit in which angles are shown, and typed without a unit."),
        (("Degrees", "deg"), ("Radians", "rad")),
        words="deg rad units rotation",
    ),
    _row(
        *("quaternion_order", _NUMBERS, "Quaternion order"),
        "Place of w in the inspector, on cards, in the relation and its copies, and in the quaternion panel.",
        (("w last: x y z w", "xyzw"), ("w first: w x y z", "wxyz")),
        words="scalar hamilton ros scipy eigen convention",
    ),
    _row(
        *("sequence", _NUMBERS, "Sequence of new frames"),
        "For new frames and scenes, and for angles of frames without a sequence.",
        tuple((_KNOWN_SEQUENCES.get(sequence, sequence), sequence) for sequence in SEQUENCES),
        words="euler angles rpy axes order rotation insert default",
    ),
    _row(
        *("navigation", _VIEW, "Navigation", "How the mouse and a touchpad move the camera."),
        tuple((preset.title, key) for key, preset in PRESETS.items()),
        words="camera orbit pan zoom mouse touchpad trackpad gestures controls middle button view ros",
        details=_gestures_of,
    ),
    _row(
        *("film_size", _FILMS, "Film size", "Size that the export dialog offers first for MP4 and WebM."),
        (_AS_LAST, *((f"{width} × {height}, {name}", name) for name, (width, height) in SIZES.items())),
        words=f"{_FILM_WORDS} resolution pixels width height hd",
    ),
    _row(
        *("film_rate", _FILMS, "Film frames a second", "Rate that the export dialog offers first for MP4 and WebM."),
        (_AS_LAST, *((str(rate), str(rate)) for rate in RATES)),
        words=f"{_FILM_WORDS} fps frame rate",
    ),
    _row(
        *("film_quality", _FILMS, "Film quality", "Quality that the export dialog offers first for MP4 and WebM."),
        (_AS_LAST, *QUALITIES.items()),
        words=f"{_FILM_WORDS} bitrate compression file size",
    ),
    _row(
        *("film_colours", _FILMS, "Film colours", "Colours that the export dialog offers first, for pictures too."),
        (_AS_LAST, ("As in the window", AS_WINDOW), *COLOURS.items()),
        words=f"{_FILM_WORDS} theme dark light white paper colors picture",
    ),
)


def values_of(settings: Settings) -> Mapping[str, Value]:
    """Return the values of the settings in the dialog, by their names."""
    return {row.name: getattr(settings, row.name) for row in ROWS}
