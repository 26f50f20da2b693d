"""Scenes with all models of the schema in every format; and the bundle of one, opened again."""

from __future__ import annotations

import json

import pytest

from framescope.app.exporters.formats import FORMATS
from framescope.app.exporters.registry import request_for, write
from framescope.app.exporters.request import SceneSource
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.files.scene_archive import unpack_beside
from framescope.core.system.file_access import Access
from framescope.ui.exports.options import ExportOptions
from tests.support.whole import REST, WHOLE, write_rest, write_whole

WRITERS = {"everything": (write_whole, WHOLE.replace("tolerance: 1e-9", "tolerance: 1e-3")), "rest": (write_rest, REST)}
SHOWN = [made for made in FORMATS if made.title]
"""Formats that differ: the others are these under another ending."""

OPTIONS = {"size": (160, 120), "fps": 2.0, "accuracy": 1.0, "jobs": 1, "moment": 0.0}


@pytest.fixture(scope="module", params=WRITERS)
def source(request, tmp_path_factory):
    write_it, text = WRITERS[request.param]
    path = write_it(tmp_path_factory.mktemp(request.param), text)
    loaded, access = load_scene(path), Access(path.parent)
    return loaded, compile_plan(loaded.scene, access=access), SceneSource(path.name, loaded.text, access)


@pytest.mark.long
@pytest.mark.process
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("made", SHOWN, ids=[made.key for made in SHOWN])
def test_that_each_format_takes_each_model(made, source, tmp_path) -> None:
    loaded, plan, place = source
    path = tmp_path / ("%04d.png" if made.key == "frames" else f"scene{made.suffix}")
    options = ExportOptions(**{key: value for key, value in OPTIONS.items() if key in made.takes})
    write(request_for(loaded.scene, plan, path, options, is_still=made.is_still, source=place))
    written = [item for item in tmp_path.rglob("*") if item.is_file()]
    assert written
    assert all(item.stat().st_size > 0 for item in written)
    if made.key == "html":
        page = path.read_text(encoding="utf-8")
        assert all(json.dumps(name) in page for name in plan.names)


def test_that_a_bundle_of_each_model_opens_as_the_same_scene(source, tmp_path) -> None:
    loaded, plan, place = source
    write(request_for(loaded.scene, plan, tmp_path / "b.zip", ExportOptions(), source=place))
    path = unpack_beside(tmp_path / "b.zip")
    again = load_scene(path)
    assert again.scene == loaded.scene
    assert compile_plan(again.scene, path.parent).problems == plan.problems
