"""Choices of the export dialog, facts for it, and its verdict on a choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from framescope.ui.exports.options import ExportOptions, Size, options_in


@dataclass(frozen=True)
class ExportChoice(ExportOptions):
    """Choice in the dialog: options, and settings to copy from the window.

    Options that the format does not take are ignored.

    Attributes
    ----------
    key
        Key of the format.
    time
        ``"whole"``, ``"part"`` (the one in the timeline) or ``"own"``, from `start` to `stop`.
    is_size_of_window, is_theme_of_window, is_eye
        Whether to take size, theme and camera from the window.
    root
        Frame whose subtree is written; empty for the whole tree.
    """

    key: str = "mp4"
    time: str = "whole"
    is_size_of_window: bool = False
    is_theme_of_window: bool = False
    is_eye: bool = False
    root: str = ""

    def storable(self) -> dict[str, Any]:
        """Return the settings to remember for other scenes."""
        return {name: getattr(self, name) for name in _stored_types(type(self))}


def _stored_types(kind: type[ExportChoice]) -> dict[str, type]:
    """Return the type of each remembered setting, by name."""
    of_options = {name: entry.kind for name, entry in options_in(kind).items() if not entry.is_of_scene and entry.ask}
    own = {"key": str, "is_size_of_window": bool, "is_theme_of_window": bool}
    return {**of_options, **own, "size": list}


@dataclass(frozen=True)
class SceneFacts:
    """Facts of the scene and the window for the dialog.

    Attributes
    ----------
    start, end, t, part
        Time range, current time, and part that the timeline plays, s.
    view_size
        Size of the scene in the window, device pixels.
    frames, plots
        Names of the frames, and titles of the plots.
    frame
        Selected frame; empty when none is selected.
    problems
        Sentence on the problems of the scene; empty when there are none.
    title
        Title of the scene.
    theme
        Name of the window's theme.
    films, film_options
        Names of the films, and the options that a film takes.
    is_camera_moved
        Whether the user has moved the camera away from the scene's own. The export then starts from the window's view.
    """

    start: float
    end: float
    t: float
    part: tuple[float, float] | None
    view_size: Size
    frames: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    frame: str = ""
    problems: str = ""
    title: str = ""
    theme: str = "dark"
    is_camera_moved: bool = False
    films: tuple[str, ...] = ()
    film_options: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ChoiceVerdict:
    """Verdict on a choice before the export.

    Attributes
    ----------
    problem, of
        Sentence on why the choice cannot be exported, and the option at fault; both empty when it can.
    summary
        Frames and duration of the result.
    size
        Size of the result, pixels.
    left_out
        Sentence on parts of the scene that the format cannot hold; empty when it holds all.
    text
        Text of the file; empty where it is no text, or no preview of it.
    """

    problem: str = ""
    of: str = ""
    summary: str = ""
    size: Size = (16, 9)
    left_out: str = ""
    text: str = ""


def choice_of(storable: object, facts: SceneFacts, kind: type[ExportChoice] = ExportChoice) -> ExportChoice:
    """Return the remembered choice as far as it is readable and fits the scene. Theme and camera are the window's.

    The camera is the scene's own if the user has not moved it.
    """
    plain = kind(
        start=facts.start,
        stop=facts.end,
        moment=facts.t,
        theme=facts.theme,
        is_theme_of_window=True,
        is_eye=facts.is_camera_moved,
        frame=facts.frame,
        time="whole" if facts.part is None else "part",
    )
    remembered = cast("Mapping[str, Any]", storable) if isinstance(storable, dict) else {}
    values: dict[str, Any] = {}
    for name, expected in _stored_types(kind).items():
        value = remembered.get(name)
        if name == "size" and isinstance(value, list):
            sides = cast("list[Any]", value)
            if len(sides) == 2 and all(type(side) is int for side in sides):
                values[name] = (sides[0], sides[1])
        elif expected is float and type(value) is int:
            values[name] = float(value)
        elif type(value) is expected:
            values[name] = value
    choice = replace(plain, **values)
    return replace(choice, theme=facts.theme) if choice.is_theme_of_window else choice
