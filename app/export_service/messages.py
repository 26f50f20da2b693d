"""What the window says to the process that exports, and what comes back.

The window's words are pickles, which nobody else can write to the process it has started. The answers are lines of
JSON, and numbers and texts only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

from framescope.app.exporters.request import ExportOptions, SceneSource
from framescope.core.scene.schema.model import Scene


@dataclass(frozen=True)
class OpenScene:
    """The scene that everything after it is about."""

    scene: Scene
    source: SceneSource


@dataclass(frozen=True)
class Still:
    """One picture instead of a film: of the moment `t`, s."""

    t: float


@dataclass(frozen=True)
class Sketch:
    """Draw the moment `t`, s, as an export with `options` would show it."""

    n: int
    options: ExportOptions
    t: float
    still: Still | None = None


@dataclass(frozen=True)
class Measure:
    """Find out how large a model or a page with `options` becomes, and how exact; whatever is said next ends it."""

    n: int
    suffix: str
    options: ExportOptions


@dataclass(frozen=True)
class Write:
    """Export to `path`, or write one picture."""

    path: Path
    options: ExportOptions
    still: Still | None = None


@dataclass(frozen=True)
class Cancel:
    """Give the export up."""


Message = OpenScene | Sketch | Measure | Write | Cancel


class Answer(TypedDict):
    """One line of the process: a picture in base 64, progress, or how the export has ended."""

    state: Literal["sketch", "no sketch", "measured", "progress", "done", "failed", "cancelled"]
    n: NotRequired[int]
    png: NotRequired[str]
    done: NotRequired[int]
    total: NotRequired[int]
    why: NotRequired[str]
    told: NotRequired[str]
