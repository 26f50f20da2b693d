"""Reader of results of Dymola and OpenModelica: a scene with a frame for each connector pose, and the shapes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.core.errors import FramescopeError, Problem, counted
from framescope.core.recordings.tables.limits import check_packed_size
from framescope.core.recordings.tables.numeric import read_bytes
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.system.xml_elements import XmlError
from framescope.features.modelica.core import dymola_shapes, visual_xml
from framescope.features.modelica.core.modelica_result import ResultFile, is_result, read_result
from framescope.features.modelica.core.orientation_rates import rate_problems
from framescope.features.modelica.core.result_frames import frames_of
from framescope.features.modelica.core.result_scene import scene_of
from framescope.features.modelica.core.result_shapes import ResultShape


def is_modelica(head: bytes, _size: int) -> bool:
    """Return whether a file begins like a result of a Modelica tool."""
    return is_result(head)


def read(path: Path) -> Contents:
    """Return the scene of a result, whose motions refer to the file.

    Raises
    ------
    FramescopeError
        When the file cannot be read, is damaged, or has no frames.
    """
    data = read_bytes(path)
    check_packed_size(path.name, len(data))
    result = read_result(path.name, data)
    frames = frames_of(result)
    if not frames:
        hint = "Simulate with protected variables and orientation objects stored: R.T and r_0 of frames are needed."
        variables = counted(len(result.places), "variable")
        raise FramescopeError(f"{path.name} has {variables}, and no frames among them. {hint}")
    drawn = list(_shapes(path, result))
    scene, left_out = scene_of(result, frames, [shape for shape in drawn if isinstance(shape, ResultShape)], path.name)
    undrawn = (item for item in drawn if isinstance(item, Problem))
    problems = (*rate_problems(result, frames), *undrawn, *left_out)
    return Contents(LoadedScene(scene, path, "", {}), problems=problems)


def _shapes(path: Path, result: ResultFile) -> Iterator[ResultShape | Problem]:
    """Yield the shapes in a result, and those in the file beside it."""
    yield from dymola_shapes.shapes_of(result)
    beside = visual_xml.visual_file(path)
    try:
        data = beside.read_bytes() if beside.is_file() and beside.stat().st_size <= visual_xml.MAX_BYTES else None
        if data is not None:
            yield from visual_xml.shapes_in(data, result)
    except OSError as error:
        yield Problem((), f"{beside.name} cannot be read: {error.strerror or error}.", "", "amber")
    except XmlError as error:
        yield Problem((), f"{beside.name}: {error.what}", "Its shapes are not drawn.", "amber", error.line)
