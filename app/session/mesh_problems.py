"""Problems of the mesh files that a scene draws; VTK is imported only when there is a mesh file."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan


def mesh_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each mesh file of a plan that cannot be read and therefore is not drawn."""
    for body in plan.view_data.bodies:
        if body.file is not None:
            from framescope.core.mesh_files.surface import MeshFileError
            from framescope.ui.scene_view.geometry.mesh_files import load_mesh

            try:
                load_mesh(body.file)
            except MeshFileError as error:
                yield Problem(("bodies", body.name, "shape", "file"), error.message, error.hint)
