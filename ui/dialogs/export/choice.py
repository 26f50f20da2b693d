"""What a person chooses in the export dialog, what it is told of the scene, and what is said of the choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from framescope.ui.exports.options import ExportOptions, Size, options_in


@dataclass(frozen=True)
class ExportChoice(ExportOptions):
    """What is chosen in the dialog: options, and what of the window is to be taken.

    What the format does not take means nothing.

    Attributes
    ----------
    key
        Of the offer.
    time
        ``"whole"``, ``"part"`` (that of the timeline) or ``"own"``, from `start` to `stop`.
    is_size_of_window, is_theme_of_window, is_eye
        Whether size, theme and camera are those of the window.
    """

    key: str = "mp4"
    time: str = "whole"
    is_size_of_window: bool = False
    is_theme_of_window: bool = False
    is_eye: bool = False

    def stored(self) -> dict[str, Any]:
        """Return what is remembered of it: nothing that belongs to one scene."""
        return {name: getattr(self, name) for name in _remembered(type(self))}


def _remembered(kind: type[ExportChoice]) -> dict[str, type]:
    """Return the type of each field that is remembered."""
    found = {name: each.kind for name, each in options_in(kind).items() if not each.is_of_scene and each.ask}
    own = {"key": str, "is_size_of_window": bool, "is_theme_of_window": bool, "is_eye": bool}
    return {**found, **own, "size": list}


@dataclass(frozen=True)
class SceneFacts:
    """Facts of the scene and the window for the dialog.

    Attributes
    ----------
    start, end, t, part
        Its time range, the present moment, and the part that the timeline plays, s.
    view_size
        Of the scene in the window, device pixels.
    frames, plots
        Names of the frames, and titles of the plots.
    frame
        The one that is selected; empty when none is.
    problems
        What is wrong with the scene, in a sentence; empty when nothing is.
    title
        That of the scene.
    theme
        Name of the window's.
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


@dataclass(frozen=True)
class ChoiceVerdict:
    """Verdict on a choice before it is carried out.

    Attributes
    ----------
    problem, of
        What keeps it from being made, in a sentence, and the option it is about; empty when it can be.
    summary
        Frames and seconds of the result.
    size
        The pixels it has.
    left_out
        What of the scene it cannot hold, in a sentence; empty when it holds all.
    """

    problem: str = ""
    of: str = ""
    summary: str = ""
    size: Size = (16, 9)
    left_out: str = ""


def choice_of(stored: object, facts: SceneFacts, kind: type[ExportChoice] = ExportChoice) -> ExportChoice:
    """Return what was remembered, as far as it can be read and fits the scene; the window's theme where none was."""
    plain = kind(
        start=facts.start,
        stop=facts.end,
        moment=facts.t,
        theme=facts.theme,
        is_theme_of_window=True,
        frame=facts.frame,
        time="whole" if facts.part is None else "part",
    )
    message = cast("Mapping[str, Any]", stored) if isinstance(stored, dict) else {}
    found: dict[str, Any] = {}
    for name, expected in _remembered(kind).items():
        value = message.get(name)
        if name == "size" and isinstance(value, list):
            sides = cast("list[Any]", value)
            if len(sides) == 2 and all(type(side) is int for side in sides):
                found[name] = (sides[0], sides[1])
        elif expected is float and type(value) is int:
            found[name] = float(value)
        elif type(value) is expected:
            found[name] = value
    choice = replace(plain, **found)
    return replace(choice, theme=facts.theme) if choice.is_theme_of_window else choice
