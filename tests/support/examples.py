"""The examples, each read and its plan made once for all tests of a process: some simulate for seconds."""

from __future__ import annotations

from functools import cache

from framescope.app.exporters.request import SceneSource
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access


@cache
def example(name: str) -> tuple[Scene, Plan, SceneSource]:
    """Return an example, its plan, and where it comes from; all of them are read-only."""
    path = example_path(name)
    loaded = load_scene(path)
    access = Access(path.resolve().parent)
    return loaded.scene, compile_plan(loaded.scene, access=access), SceneSource(path.name, loaded.text, access)
