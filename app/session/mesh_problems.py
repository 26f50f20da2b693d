"""Problems of the files that bodies draw: meshes and pictures. VTK is imported only when there is a mesh file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from framescope.core.errors import HintedError, Problem
from framescope.core.evaluation.compile.view_data import ViewBody
from framescope.core.evaluation.evaluate import Plan


def mesh_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each mesh or picture of a plan that cannot be read and therefore is not drawn."""
    for body in plan.view_data.bodies:
        fault = None if body.file is None else _fault_of(body, body.file)
        if fault is not None:
            key = "picture" if body.kind == "camera" else "file"
            yield Problem(("bodies", body.name, "shape", key), fault.message, fault.hint)


def _fault_of(body: ViewBody, file: Path) -> HintedError | None:
    """Return the error of reading the file of a body; None if the file is read."""
    if body.kind == "camera":
        from framescope.core.system.picture_files import PictureFileError, load_picture

        try:
            load_picture(file)
        except PictureFileError as error:
            return error
        return None
    from framescope.core.mesh_files.surface import MeshFileError
    from framescope.ui.scene_view.geometry.mesh_files import load_mesh

    try:
        load_mesh(file)
    except MeshFileError as error:
        return error
    return None
