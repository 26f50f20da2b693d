"""Exports of scenes with problems: each format ends in its files or an `ExportError`; nothing is half written."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import FORMATS
from framescope.app.exporters.registry import request_for, write
from framescope.app.exporters.request import SceneSource
from framescope.app.exporters.scene_graph.remarks import left_out_text
from framescope.core.errors import SceneError
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.files.loading import LoadedScene, load_scene
from framescope.core.system.file_access import Access
from framescope.ui.exports.format import Format
from framescope.ui.exports.options import ExportOptions
from tests.support.fuzzing import simulate_job

SIZE = (160, 120)
SHOWN_S = 0.2
"""How much of a scene is exported, at most, s."""
SIMULATED_S = 0.5
"""How long a simulation may go on before it is cancelled, s."""

KEYS = tuple(each.key for each in FORMATS if each.key not in ("usd", "usd-any"))
"""Formats, by their keys; USD is written once as text."""
LIGHT = ("html", "glb", "usda", "csv", "npz", "zip")
"""Those that draw nothing."""


def loaded_scene(path: Path) -> tuple[LoadedScene, Plan] | None:
    """Return a scene and its plan, with problems or without; None where the file is refused."""
    try:
        loaded = load_scene(path)
    except SceneError:
        return None
    end = time.perf_counter() + SIMULATED_S
    return loaded, compile_plan(
        loaded.scene, path.parent, run=lambda job: simulate_job(job, lambda: time.perf_counter() > end)
    )


def export_all(path: Path, folder: Path, keys: tuple[str, ...] = KEYS) -> Iterator[tuple[str, str]]:
    """Yield what became of the scene of a file in each format: "written" or "refused"."""
    made = loaded_scene(path)
    if made is None:
        yield "scene", "refused"
        return
    for each in FORMATS:
        if each.key in keys:
            yield each.key, _export(*made, each, folder)


def _export(loaded: LoadedScene, plan: Plan, made: Format, folder: Path) -> str:
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    path = out / "frames" if made.key == "frames" else out / f"a{made.suffix}"
    with suppress(FileExistsError):
        if made.key == "frames":
            path.mkdir()
    source = SceneSource(loaded.path.name, loaded.text, Access(loaded.path.resolve().parent))
    try:
        request = request_for(loaded.scene, plan, path, _options(plan, made), source=source, is_still=made.is_still)
        left_out_text(plan, request.path.suffix.lower())
        write(request)
    except ExportError:
        assert not [item for item in out.rglob("*") if item.is_file()], "a file is left of what was refused"
        return "refused"
    files = [item for item in out.rglob("*") if item.is_file()]
    assert files
    assert all(item.stat().st_size for item in files)
    assert not [item for item in files if item.name.startswith(".") and made.key != "frames"]
    return "written"


def _options(plan: Plan, made: Format) -> ExportOptions:
    asked: dict[str, object] = {
        "start": plan.start,
        "stop": min(plan.start + SHOWN_S, plan.end),
        "fps": max(2.0 / SHOWN_S, made.min_fps or 0.0),
        "size": SIZE,
        "moment": plan.start,
        "accuracy": 2.0,
        "jobs": 1,
        "interactive": True,
        "samples": 0,
    }
    return ExportOptions(**{name: value for name, value in asked.items() if name in made.takes})
