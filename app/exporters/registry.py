"""The way in: choose the exporter that a name asks for, check the request, and let it write."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from framescope.app.exporters.encoding.interrupts import heard_between_frames
from framescope.app.exporters.formats import EXPORTERS, Format
from framescope.app.exporters.request import ExportError, ExportOptions, check_folder, checked_request
from framescope.core.errors import did_you_mean
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import Scene

if TYPE_CHECKING:
    from framescope.app.exporters.scene_graph.scene_graph import Accuracy

FRAMES = "%04d.png"
"""Names of the pictures in a folder that is named without a pattern."""

NOT_SAID = frozenset({"source", "eye", "eye_time"})
"""Options that are not for a person to type."""


def export(
    scene: Scene,
    plan: Plan,
    path: str | Path,
    *,
    progress: Callable[[int, int], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    **options: Unpack[ExportOptions],
) -> Accuracy | None:
    """Write a scene to a file, with no window; the suffix of `path` chooses the format.

    Parameters
    ----------
    scene, plan
        The document, and its compiled plan.
    path
        Where to write. The file appears whole or not at all. A folder, or a name such as ``frames/%04d.png``, gives a
        row of numbered pictures, which goes on where it was left.
    progress
        Called with the number of frames, or other parts, done and of all.
    is_cancelled
        Asked before every frame; true gives the export up.
    size
        Width and height in pixels, both even for MP4 and WebM; 1280 by 720 when left out.
    fps
        Frames, or rows of a table, a second; 30 when left out, 25 for a GIF.
    accuracy
        Of a model or a page: how far, in degrees, what turns may be off between samples; places by as much as that
        moves the edge of the scene. 0.005 when left out. `fps` is only how a USD file counts its time.
    start, stop
        Time range, s; that of the scene when left out.
    theme
        ``"dark"``, the default, ``"light"`` or ``"white"``.
    transparent
        Leave the ground out, in WebM, APNG and PNG; pictures are bare then.
    bare
        Draw the scene alone, without bar, legend, clock, source line and grid.
    long
        Of a table: one row for each number, with its name and unit, instead of one for each time.
    angle_unit
        What angles and their rates are written in, in pictures: ``"deg"``, the default, or ``"rad"``.
    layout
        What a moving picture shows: ``"scene"``, the default; ``"plots"``: the scene and plots below; ``"lecture"``:
        also sequence, angles, matrix and quaternion of a frame, with a large title and clock.
    plots
        Which plots of the scene such a layout shows, by title or by number from 1; all when left out.
    frame
        Whose numbers a lecture shows; the first frame that moves by angles when left out.
    camera
        ``"scene"``, the default: the camera of the scene or its path; ``"turntable"``: turns about the upright line
        through the focal point, and closes.
    turns
        Whole turns of a turntable over the range, counter-clockwise from above; 1 when left out.
    follow
        A frame that the camera stays beside, as it is at the start of the range.
    turning
        Whether the camera also turns with that frame.
    bounce
        Play forth and back, so that a loop closes; neither end is there twice.
    speed
        Seconds of the scene in a second of a film: 0.1 for ten times as slow; 1 when left out.
    hold
        How long the very end stays in a film, s; where it goes back again, before it does. 0 when left out.
    captions
        Texts below the picture, each from a time of the scene on if it begins with one: ``"2.5: Then the pitch"``.
    text_size
        How large text is, apart from the size of the picture: 1 when left out, up to 3.
    quality
        Of MP4 and WebM: ``"small"``, ``"good"``, the default, or ``"best"``.
    title, license
        What the file's own data say of it; the title is the scene's when left out.
    eye
        A camera, in place of that of the scene.
    eye_time
        When `eye` sees what it should, s, for a camera that follows; the start of the range when left out.
    source
        Of a bundle: where the scene and its files are.

    Returns
    -------
    Accuracy or None
        Of a model or a page, how well it tells the motion between its samples.

    Raises
    ------
    ExportError
        When the request cannot be met, or writing fails; no file is left.
    ExportCancelledError
        When `is_cancelled` said so; no file is left, but for whole pictures of a row.
    KeyboardInterrupt
        On Ctrl C, once what was begun is removed.
    """
    path, made = chosen(path)
    with heard_between_frames() as is_interrupted:
        request = checked_request(
            scene,
            plan,
            path,
            made,
            options,
            progress=progress,
            is_cancelled=lambda: is_interrupted() or (is_cancelled is not None and is_cancelled()),
        )
        if path.suffix.lower() != ".png":
            check_folder(path)
        return importlib.import_module(made.module).write(request)


def chosen(path: str | Path) -> tuple[Path, Format]:
    """Return where an export goes, and its format; raise `ExportError` when the name says none.

    >>> chosen("walk.gif")[1].called, chosen("frames/")[0].as_posix()
    ('a GIF', 'frames/%04d.png')
    """
    is_folder = str(path).endswith(("/", "\\")) or (Path(path).is_dir() and Path(path).suffix.lower() not in EXPORTERS)
    path = Path(path) / FRAMES if is_folder else Path(path)
    suffix = path.suffix.lower()
    if suffix in EXPORTERS:
        return path, EXPORTERS[suffix]
    said = f'"{suffix}" is no format' if suffix else "the file name has no ending"
    raise ExportError(f"{path.name}: {said} that can be exported. {did_you_mean(suffix, EXPORTERS)}")


def check_given(path: str | Path, given: Collection[str]) -> None:
    """Raise `ExportError` for an option, given by a person, that means nothing to the format."""
    _, made = chosen(path)
    for name in given:
        if name not in made.takes and name not in ("transparent", "long"):  # of these the request says more
            takes = ", ".join(sorted(made.takes - NOT_SAID))
            raise ExportError(
                f"{name}: {made.called} takes no {name}. {f'It takes {takes}.' if takes else 'Leave it out.'}"
            )
