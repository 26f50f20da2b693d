"""Registry of exporters: finds the one that a name asks for, checks the request, and lets it write."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from framescope.app.exporters.encoding.interrupts import interrupts_between_frames
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.request import ExportRequest, Hooks, SceneSource, check_folder, checked_request
from framescope.core.errors import did_you_mean
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import missing_provider
from framescope.ui.exports.format import Format
from framescope.ui.exports.options import ExportOptions, options_in, options_text

if TYPE_CHECKING:
    from framescope.app.exporters.scene_graph.scene_graph import Accuracy

FRAMES = "%04d.png"
"""Names of the pictures in a folder that is named without a pattern."""


def export(
    scene: Scene,
    plan: Plan,
    path: str | Path,
    options: ExportOptions | None = None,
    *,
    source: SceneSource | None = None,
    progress: Callable[[int, int], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    **more: Any,
) -> Accuracy | None:
    """Write a scene to a file, with no window; the suffix of `path` chooses the format.

    Parameters
    ----------
    scene, plan
        The document, and its compiled plan.
    path
        Where to write. The file appears whole or not at all. A folder, or a name such as ``frames/%04d.png``, gives a
        row of numbered pictures, which goes on where it was left.
    options
        What is asked for; one by one they may be given by name, too.
    source
        Of a bundle: where the scene and its files are.
    progress
        Called with the number of frames, or other parts, done and of all.
    is_cancelled
        Asked before every frame; true gives the export up.
    {options}

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
    asked = replace(options or ExportOptions(), **more)
    return write(request_for(scene, plan, path, asked, source=source, progress=progress, is_cancelled=is_cancelled))


export.__doc__ = (export.__doc__ or "").replace("{options}", options_text())


def request_for(
    scene: Scene, plan: Plan, path: Path | str, options: ExportOptions, is_still: bool = False, **hooks: Unpack[Hooks]
) -> ExportRequest:
    """Return the request for a file, or with `is_still` for a picture of a moment; raise `ExportError` for none."""
    path, made = chosen(path, is_still=is_still)
    request = checked_request(scene, plan, path, made, options, **hooks)
    if made.key != "frames":
        check_folder(path)
    return request


def write(request: ExportRequest) -> Accuracy | None:
    """Write what is requested, see `export`."""
    with interrupts_between_frames() as is_interrupted:
        own = request.is_cancelled
        request = replace(request, is_cancelled=lambda: is_interrupted() or own())
        return importlib.import_module(request.made.module).write(request)


def chosen(path: str | Path, *, is_still: bool = False) -> tuple[Path, Format]:
    """Return where an export goes, and its format; raise `ExportError` when the name says none.

    >>> chosen("walk.gif")[1].called, chosen("frames/")[0].as_posix()
    ('a GIF', 'frames/%04d.png')
    """
    formats = formats_by_suffix(is_still=is_still)
    is_folder = str(path).endswith(("/", "\\")) or (Path(path).is_dir() and Path(path).suffix.lower() not in formats)
    path = Path(path) / FRAMES if is_folder and not is_still else Path(path)
    suffix = path.suffix.lower()
    if suffix in formats:
        return path, formats[suffix]
    if is_still:
        message = f'"{path.suffix}" is no format of pictures' if path.suffix else "the file name has no ending"
        raise ExportError(f"{path.name}: {message}. Use .png, .svg or .pdf.")
    if feature := missing_provider(suffix):
        raise ExportError(f"{path.name}: the format {suffix} belongs to {feature}.")
    message = f'"{suffix}" is no format' if suffix else "the file name has no ending"
    raise ExportError(f"{path.name}: {message} that can be exported. {did_you_mean(suffix, formats)}")


def check_given(path: str | Path, given: Collection[str]) -> None:
    """Raise `ExportError` for an option, given by a person, that means nothing to the format."""
    _, made = chosen(path)
    message = {name for name, option in options_in(ExportOptions).items() if option.help}
    for name in given:
        if name not in made.takes and name not in ("transparent", "long"):  # of these the request says more
            takes = ", ".join(sorted(made.takes & message))
            message = f"{name}: {made.called} takes no {name}. {f'It takes {takes}.' if takes else 'Leave it out.'}"
            raise ExportError(message)
