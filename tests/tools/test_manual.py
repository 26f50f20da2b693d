"""Every example in the manual runs, every scene in it is sound, and no key of the format is forgotten."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from framescope import assets
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.base import Item

pytestmark = pytest.mark.long

PAGES = sorted(assets.path("manual").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_that_examples_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0


SCENES = [
    text
    for page in PAGES
    for text in re.findall(r"^```yaml\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize("text", SCENES, ids=range(len(SCENES)))
def test_that_every_scene_of_the_manual_is_without_fault(text: str) -> None:
    plan = compile_plan(parse_scene(text)[0])
    assert [problem for problem in plan.problems if problem.severity != "note"] == []


def test_that_the_manual_names_every_key_of_the_format() -> None:
    page = next(page for page in PAGES if page.stem == "scene-file").read_text("utf-8")
    own = [model for model in _models(Item) if model.__module__.startswith("framescope.")]  # and not those of tests
    keys = {key for model in own for key in model.model_fields}
    assert {key for key in keys if key not in page} == set()


def _models(base: type[Item]) -> list[type[Item]]:
    return [found for model in base.__subclasses__() for found in (model, *_models(model))]
