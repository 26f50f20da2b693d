"""Problems of the files that bodies draw: meshes, clouds and pictures. VTK is imported only for a mesh file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from framescope.core.errors import HintedError, Problem
from framescope.core.evaluation.compile.view_data import ViewBody
from framescope.core.evaluation.evaluate import Plan


def mesh_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each file of a body that cannot be read, and a note for a cloud drawn in part."""
    for body in plan.view_data.bodies:
        if body.file is not None and body.kind == "points":
            yield from _cloud_problems(body.name, body.file)
        elif body.file is not None and (fault := _fault_of(body, body.file)) is not None:
            key = "picture" if body.kind == "camera" else "file"
            yield Problem(("bodies", body.name, "shape", key), fault.message, fault.hint)


def _cloud_problems(name: str, file: Path) -> Iterator[Problem]:
    from framescope.core.mesh_files.clouds import kept_cloud
    from framescope.core.mesh_files.surface import MeshFileError

    key = ("bodies", name, "shape", "file")
    try:
        cloud = kept_cloud(file)
    except MeshFileError as error:
        yield Problem(key, error.message, error.hint)
        return
    if cloud.note:
        yield Problem(key, cloud.note, severity="note")


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
