"""Registry of exporters: finds the format of a file name, checks the request and calls the writer."""

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
"""Names of the pictures in a folder that is given without a pattern."""


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
) -> Accuracy | str | None:
    """Write a scene to a file without a window; the suffix of `path` chooses the format.

    Parameters
    ----------
    scene, plan
        The document and its compiled plan.
    path
        File to write; it appears complete or not at all. A folder, or a name such as ``frames/%04d.png``, gives
        numbered pictures, and continues an interrupted export.
    options
        The options; single ones can also be given by name.
    source
        For a bundle: the scene's file and access to its other files.
    progress
        Called with the number of frames or other parts that are done, and their total.
    is_cancelled
        Called before every frame; true cancels the export.
    {options}

    Returns
    -------
    Accuracy, str or None
        For a model or a page, its accuracy between samples. For a film of several shots, a sentence about the frames
        that were drawn and kept.

    Raises
    ------
    ExportError
        When the request is invalid or writing fails; no file remains.
    ExportCancelledError
        When `is_cancelled` returned true; no file remains but complete numbered pictures.
    KeyboardInterrupt
        On Ctrl C, after incomplete files are removed.
    """
    all_options = replace(options or ExportOptions(), **more)
    return write(
        request_for(scene, plan, path, all_options, source=source, progress=progress, is_cancelled=is_cancelled)
    )


export.__doc__ = (export.__doc__ or "").replace("{options}", options_text())


def request_for(
    scene: Scene, plan: Plan, path: Path | str, options: ExportOptions, is_still: bool = False, **hooks: Unpack[Hooks]
) -> ExportRequest:
    """Return the checked request for a file, or with `is_still` for a single picture; raise `ExportError`."""
    path, file_format = chosen(path, is_still=is_still)
    request = checked_request(scene, plan, path, file_format, options, **hooks)
    if file_format.key != "frames":
        check_folder(path)
    return request


def write(request: ExportRequest) -> Accuracy | str | None:
    """Write the file of a request; see `export`."""
    with interrupts_between_frames() as is_interrupted:
        own = request.is_cancelled
        request = replace(request, is_cancelled=lambda: is_interrupted() or own())
        return importlib.import_module(request.made.module).write(request)


def chosen(path: str | Path, *, is_still: bool = False) -> tuple[Path, Format]:
    """Return an export's path and format; raise `ExportError` when the suffix names no format.

    >>> chosen("walk.gif")[1].called, chosen("frames/")[0].as_posix()
    ('a GIF', 'frames/%04d.png')
    """
    formats = formats_by_suffix(is_still=is_still)
    is_folder = str(path).endswith(("/", "\\")) or (
        Path(path).is_dir() and _suffix_of(Path(path), formats) not in formats
    )
    path = Path(path) / FRAMES if is_folder and not is_still else Path(path)
    suffix = _suffix_of(path, formats)
    if suffix in formats:
        return path, formats[suffix]
    if is_still:
        message = f'"{path.suffix}" is no format of pictures' if path.suffix else "the file name has no ending"
        raise ExportError(f"{path.name}: {message}. Use .png, .svg or .pdf.")
    if feature := missing_provider("".join(path.suffixes[-2:]).lower()) or missing_provider(suffix):
        raise ExportError(f"{path.name}: the format {suffix} belongs to {feature}.")
    message = f'"{suffix}" is no format' if suffix else "the file name has no ending"
    raise ExportError(f"{path.name}: {message} that can be exported. {did_you_mean(suffix, formats)}")


def _suffix_of(path: Path, formats: Collection[str]) -> str:
    """Return the ending of a file name: two parts such as ``.launch.py`` if that is a format, else the last part.

    >>> _suffix_of(Path("arm.v2.launch.py"), [".launch.py", ".py"]), _suffix_of(Path("arm.v2.py"), [".launch.py"])
    ('.launch.py', '.py')
    """
    double = "".join(path.suffixes[-2:]).lower()
    return double if double in formats else path.suffix.lower()


def check_options(path: str | Path, given: Collection[str]) -> None:
    """Raise `ExportError` for an option, given by the user, that the format does not have."""
    _, file_format = chosen(path)
    documented = {name for name, option in options_in(ExportOptions).items() if option.help}
    for name in given:
        if name not in file_format.takes and name not in (
            "transparent",
            "long",
        ):  # the request has better messages for these
            takes = ", ".join(sorted(file_format.takes & documented))
            message = (
                f"{name}: {file_format.called} takes no {name}. {f'It takes {takes}.' if takes else 'Leave it out.'}"
            )
            raise ExportError(message)
