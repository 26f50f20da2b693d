"""Problems of the mesh files and clouds that a scene draws; VTK is imported only when there is a mesh file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan


def mesh_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each mesh file of a plan that cannot be drawn, and a note for a cloud drawn in part."""
    for body in plan.view_data.bodies:
        if body.file is not None and body.kind == "points":
            yield from _cloud_problems(body.name, body.file)
        elif body.file is not None:
            from framescope.core.mesh_files.surface import MeshFileError
            from framescope.ui.scene_view.geometry.mesh_files import load_mesh

            try:
                load_mesh(body.file)
            except MeshFileError as error:
                yield Problem(("bodies", body.name, "shape", "file"), error.message, error.hint)


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
