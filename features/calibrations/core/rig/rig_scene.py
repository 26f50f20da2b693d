"""Scene of several calibrations, as the window makes it when they are opened one after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from framescope.core.scene.schema.model import Scene
from framescope.features.calibrations.core.calibration import Calibration
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.frame_names import with_frame_names, with_scene_names
from framescope.features.calibrations.core.rig.additions import add_calibration, with_root


def scene_of_rig(
    files: Sequence[tuple[str, Calibration]], same: Mapping[str, str] | None = None, roots: Iterable[str] = ()
) -> Scene:
    """Return the scene of several calibrations. Frames of equal names are one frame.

    Parameters
    ----------
    files
        Name and content of each file, see `roots.in_order`.
    same
        Other names of frames, see `rig.merge`.
    roots
        Frames that become roots of their trees, see `roots.root_frames`.
    """
    scene: Scene | None = None
    for file, content in files:
        calibration = with_frame_names(with_scene_names(content), same or {})
        # Loops tell a direction that a file leaves open: the other one is not drawn.
        edges = tuple(replace(edge, doubt="") for edge in calibration.edges if edge.parent != edge.child)
        part = scene_of(replace(calibration, edges=edges), file)
        if part.frames:
            scene = part if scene is None else add_calibration(part, scene).apply(scene)
    scene = scene or Scene()
    for root in roots:
        scene = with_root(scene, root)
    return scene
