"""Text of a rig in the format of a file's suffix: a scene, or a tree of frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.features.calibrations.app.tree_export import tree_text
from framescope.features.calibrations.app.tree_formats import TREES
from framescope.features.calibrations.core.tree_of_plan import placed_frames
from framescope.ui.exports.format import Format

SCENES = (".yaml", ".yml")
"""Suffixes of scenes."""


def writer_of(name: str) -> Callable[[Scene], str]:
    """Return the function that writes the scene of a rig as the text of a file.

    Raises
    ------
    FramescopeError
        When no format has the suffix.

    Examples
    --------
    >>> print(writer_of("rig.yaml")(Scene()).splitlines()[0])
    framescope: 1
    """
    low = name.lower()
    made = next((made for made in TREES if low.endswith(made.suffix)), None)  # rig.launch.yaml is no scene
    if made is not None:
        return partial(_tree_text, made)
    if low.endswith(SCENES):
        return scene_text
    known = ", ".join((*SCENES[:1], *(made.suffix for made in TREES)))
    raise FramescopeError(f"{name}: a rig is written in the format of the suffix. Use one of {known}.")


def _tree_text(made: Format, scene: Scene) -> str:
    """Return the tree below the root of a rig, whose place in the world is no part of it; of several roots, all."""
    roots = [name for name, frame in scene.frames.items() if frame.parent == WORLD]
    is_placed = any(scene.frames[name].source is not None for name in roots)
    root = roots[0] if len(roots) == 1 and not is_placed else WORLD
    return tree_text(made, placed_frames(compile_plan(scene), root), root)
