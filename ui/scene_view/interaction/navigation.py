"""Navigation presets: how drags of the mouse and of two fingers on a touchpad move the camera.

The 3D view, the sheet of shortcuts and the manual all read this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputDevice, QWheelEvent

CameraMove = Literal["orbit", "pan", "zoom"]

MOVE_TEXTS: Mapping[CameraMove, str] = MappingProxyType(
    {"orbit": "Turn the camera", "pan": "Move the camera", "zoom": "Zoom"}
)

_SHORT: Mapping[CameraMove, str] = MappingProxyType({"orbit": "Turn", "pan": "Move", "zoom": "Zoom"})

NO_BUTTON, LEFT, MIDDLE, RIGHT = (
    Qt.MouseButton.NoButton,
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
)
PLAIN, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)

_DRAG_TEXTS = {LEFT: "drag", MIDDLE: "middle drag", RIGHT: "right drag", NO_BUTTON: "two fingers"}
_KEY_TEXTS = {PLAIN: "", SHIFT: "Shift", CTRL: "Ctrl"}


@dataclass(frozen=True)
class CameraGesture:
    """Drag that moves the camera.

    Attributes
    ----------
    move
        Its effect.
    button
        Mouse button that is held; `NO_BUTTON` for two fingers on a touchpad.
    key
        Modifier key that is held.
    """

    move: CameraMove
    button: Qt.MouseButton
    key: Qt.KeyboardModifier = PLAIN

    @property
    def words(self) -> str:
        """The gesture in words, within a sentence.

        >>> CameraGesture("pan", MIDDLE, SHIFT).words, CameraGesture("orbit", NO_BUTTON).words
        ('Shift middle drag', 'two fingers')
        """
        return f"{_KEY_TEXTS[self.key]} {_DRAG_TEXTS[self.button]}".strip()

    @property
    def text(self) -> str:
        """The gesture in words, by itself."""
        return self.words[0].upper() + self.words[1:]


@dataclass(frozen=True)
class NavigationPreset:
    """Gestures that move the camera. In every preset the wheel and a pinch zoom.

    Attributes
    ----------
    key
        Name in the settings file.
    title
        Name in the window.
    gestures
        The gestures, without two for the same button and key.
    """

    key: str
    title: str
    gestures: tuple[CameraGesture, ...]

    @property
    def summary(self) -> str:
        """All gestures in one line.

        >>> PRESETS["rviz"].summary
        'Turn: drag. Move: Shift drag, middle drag. Zoom: right drag, two fingers, wheel, pinch.'
        """
        texts: dict[CameraMove, list[str]] = {"orbit": [], "pan": [], "zoom": []}
        for gesture in self.gestures:
            texts[gesture.move].append(gesture.words)
        texts["zoom"] += ["wheel", "pinch"]
        return " ".join(f"{_SHORT[move]}: {', '.join(words)}." for move, words in texts.items())

    def move_of(self, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> CameraMove | None:
        """Return the effect of a drag; None for a button that moves nothing.

        A pressed key without an entry of its own is ignored.

        >>> PRESETS["blender"].move_of(MIDDLE, SHIFT), PRESETS["blender"].move_of(RIGHT, PLAIN)
        ('pan', None)
        >>> PRESETS["framescope"].move_of(LEFT, CTRL)
        'orbit'
        """
        moves: dict[Qt.KeyboardModifier, CameraMove] = {
            gesture.key: gesture.move for gesture in self.gestures if gesture.button == button
        }
        for key, move in moves.items():
            if key != PLAIN and keys & key:
                return move
        return moves.get(PLAIN)


_FINGERS_ORBIT = (
    CameraGesture("orbit", NO_BUTTON),
    CameraGesture("pan", NO_BUTTON, SHIFT),
    CameraGesture("zoom", NO_BUTTON, CTRL),
)
_LEFT_ORBITS = CameraGesture("orbit", LEFT)
_SHIFT_PANS = CameraGesture("pan", LEFT, SHIFT)
_MIDDLE_PANS = CameraGesture("pan", MIDDLE)
_RIGHT_ZOOMS = CameraGesture("zoom", RIGHT)

_OWN = NavigationPreset(
    "framescope",
    "Framescope",
    (_LEFT_ORBITS, _SHIFT_PANS, _MIDDLE_PANS, CameraGesture("pan", RIGHT), *_FINGERS_ORBIT),
)
_BLENDER = NavigationPreset(
    "blender",
    "Blender",
    (
        CameraGesture("orbit", MIDDLE),
        CameraGesture("pan", MIDDLE, SHIFT),
        CameraGesture("zoom", MIDDLE, CTRL),
        _LEFT_ORBITS,
        *_FINGERS_ORBIT,
    ),
)
_ONSHAPE = NavigationPreset(
    "onshape",
    "Onshape",
    (
        CameraGesture("orbit", RIGHT),
        CameraGesture("pan", RIGHT, CTRL),
        _MIDDLE_PANS,
        _LEFT_ORBITS,
        CameraGesture("zoom", NO_BUTTON),
    ),
)
_RVIZ = NavigationPreset(
    "rviz",
    "RViz",
    (_LEFT_ORBITS, _SHIFT_PANS, _MIDDLE_PANS, _RIGHT_ZOOMS, CameraGesture("zoom", NO_BUTTON)),
)
_ROS_TOUCHPAD = NavigationPreset(
    "ros-touchpad",
    "ROS on a touchpad",
    (
        _LEFT_ORBITS,
        _SHIFT_PANS,
        CameraGesture("zoom", LEFT, CTRL),
        _RIGHT_ZOOMS,
        CameraGesture("pan", NO_BUTTON),
        CameraGesture("orbit", NO_BUTTON, SHIFT),
        CameraGesture("zoom", NO_BUTTON, CTRL),
    ),
)

PRESETS: Mapping[str, NavigationPreset] = MappingProxyType(
    {preset.key: preset for preset in (_OWN, _BLENDER, _ONSHAPE, _RVIZ, _ROS_TOUCHPAD)}
)
"""Presets by their names in the settings file, the usual one first."""

USUAL = _OWN


def is_two_fingers(event: QWheelEvent) -> bool:
    """Return whether two fingers on a touchpad sent a scroll event, and not the wheel of a mouse.

    A wheel may report pixels, too, on X11. Touchpads are a device of their own there and on macOS. On Wayland they
    share the device of the mouse and report the phases of a scroll.
    """
    if event.device().type() == QInputDevice.DeviceType.TouchPad:
        return True
    return event.phase() != Qt.ScrollPhase.NoScrollPhase and not event.pixelDelta().isNull()
