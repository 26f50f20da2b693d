"""Export of a tree of frames as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest
from framescope.core.errors import counted, visible_text
from framescope.core.scene.schema.model import WORLD
from framescope.core.system.atomic_write import atomically
from framescope.features.calibrations.core import tree_writing
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.code_libraries import CODE
from framescope.features.calibrations.core.tree_of_plan import moving_frames, names_text, placed_frames
from framescope.features.calibrations.core.tree_writing import PlacedFrame
from framescope.ui.exports.format import Format

Writer = Callable[[Sequence[PlacedFrame], Sequence[str]], str]

_WRITERS: Mapping[str, Writer] = {
    "sdf": tree_writing.sdf,
    "urdf": tree_writing.urdf,
    "launch-python": tree_writing.launch_python,
    "launch-xml": tree_writing.launch_xml,
    "launch-yaml": tree_writing.launch_yaml,
    "launch-ros1": tree_writing.launch_ros1,
    "matlab": tree_writing.matlab,
    "tree-csv": lambda poses, _remarks: tree_writing.table(poses),
}


def write(request: ExportRequest) -> str:
    """Write the tree below a frame; return a sentence on frames that move, empty for none.

    Raises
    ------
    ExportError
        When a frame moves and the request has no time, a frame has no pose, or the format cannot hold a name.
    """
    text, warning = _text_and_warning(request)
    try:
        with atomically(request.path) as partial:
            partial.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise request.failure(error) from None
    return warning


def preview(request: ExportRequest) -> str:
    """Return the text of the file.

    Raises
    ------
    ExportError
        As `write`.
    """
    return _text_and_warning(request)[0]


def _text_and_warning(request: ExportRequest) -> tuple[str, str]:
    root, t = request.options.frame or WORLD, request.options.moment
    try:
        moving = moving_frames(request.plan, root)
        if moving and t is None:
            raise ExportError(
                f"time: {names_text(moving)}, and {request.made.called} holds fixed poses."
                " Give a time (--time 0) to write the poses at that time."
            )
        poses = placed_frames(request.plan, root, t)
        warning = f"{names_text(moving)}: the file has the poses at {t:g} s." if moving else ""
        return tree_text(request.made, poses, root, warning, request.options.library), warning
    except CalibrationError as error:
        raise ExportError(str(error)) from None


def summary(request: ExportRequest) -> str:
    """Return how many frames a tree has, and which of them move, in a sentence for the dialog.

    Raises
    ------
    ExportError
        When there is no frame below the root, or a frame has no pose.
    """
    t = request.options.moment
    try:
        n = len(placed_frames(request.plan, request.options.frame or WORLD, request.start if t is None else t))
    except CalibrationError as error:
        raise ExportError(str(error)) from None
    moving = moving_frames(request.plan, request.options.frame or WORLD)
    return counted(n, "frame") + (f"; {names_text(moving)}: the poses are those at the time above" if moving else "")


def _remarks(root: str, warning: str) -> list[str]:
    remarks = [
        f"Frames below {visible_text(root)}, written by Framescope.",
        "Each pose is that of a child in its parent: it takes points of the child to the parent. Positions are in m.",
    ]
    return [*remarks, warning] if warning else remarks


def tree_text(
    made: Format, poses: Sequence[PlacedFrame], root: str = WORLD, warning: str = "", library: str | None = None
) -> str:
    """Return frames as the text of a format of trees, with the direction of the poses as a comment.

    Raises
    ------
    CalibrationError
        When the format cannot hold a name.
    ExportError
        When the code is not written with the library.
    """
    remarks = _remarks(root, warning)
    if made.key in ("cpp", "hpp", "h"):
        return tree_writing.cpp(poses, remarks, _library(made, library, "cpp"), is_header=made.key != "cpp")
    if made.key == "python":
        return tree_writing.python(poses, remarks, _library(made, library, "python"))
    return _WRITERS[made.key](poses, remarks)


def _library(made: Format, wanted: str | None, language: str) -> str:
    library = wanted or CODE[language][0]
    if library not in CODE[language]:
        expected = " or ".join(CODE[language])
        raise ExportError(f"library: {made.called} is written with {expected}, got {library}.")
    return library
