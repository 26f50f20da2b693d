"""Every example in the manual runs, every scene in it is sound, and no key of the format is forgotten."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from framescope import assets
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.schema.base import Item
from framescope.core.system.file_access import Access
from framescope.features.lessons.core.checking import check_lesson
from framescope.features.lessons.core.lesson import parse_lesson

pytestmark = pytest.mark.long

PAGES = sorted(assets.path("manual").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_that_examples_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0


SCENES = [
    text
    for page in PAGES
    if page.stem != "lessons"
    for text in re.findall(r"^```yaml\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize("text", SCENES, ids=range(len(SCENES)))
def test_that_every_scene_of_the_manual_is_without_fault(text: str) -> None:
    plan = compile_plan(parse_scene(text)[0])
    assert [problem for problem in plan.problems if problem.severity != "note"] == []


def test_that_the_manual_names_every_key_of_the_format() -> None:
    texts = {page.stem: page.read_text("utf-8") for page in PAGES}
    of_films = _keys("framescope.core.scene.schema.films")
    others = {
        key
        for model in _models(Item)
        if model.__module__.startswith("framescope.core.scene.") and not model.__module__.endswith(".films")
        for key in model.model_fields
    }
    assert {key for key in others if key not in texts["scene-file"]} == set()
    assert {key for key in of_films if key not in texts["films"] + texts["scene-file"]} == set()


def test_that_the_page_of_lessons_names_every_key_and_its_lesson_is_good() -> None:
    page = next(page for page in PAGES if page.stem == "lessons").read_text("utf-8")
    assert {
        key for key in _keys("framescope.features.lessons.core.schema") if not re.search(rf"[` {{]{key}\b", page)
    } == set()
    (text,) = re.findall(r"^````\n(.*?)^````", page, re.DOTALL | re.MULTILINE)
    path = assets.path("scenes") / "aircraft.yaml"
    stagings = check_lesson(parse_lesson(text), lambda _name: (load_scene(path).scene, Access(path.parent)))
    assert [staging.time for staging in stagings] == [0.0, 0.0]


def _keys(module: str) -> set[str]:
    """Return the keys of the models of a part of the program, and not those of tests."""
    return {key for model in _models(Item) if model.__module__.startswith(module) for key in model.model_fields}


def _models(base: type[Item]) -> list[type[Item]]:
    return [found for model in base.__subclasses__() for found in (model, *_models(model))]
