"""Planted leaks: the check of lessons finds each of them at its step, and stays silent about healthy lessons."""

import re
from pathlib import Path

import pytest
import yaml

from framescope import assets
from framescope.core.errors import Problem
from framescope.features.lessons.app.lesson_lookup import example_scenes, lesson_paths, read_lesson

pytestmark = pytest.mark.long

DATA = yaml.safe_load(Path(__file__).with_name("planted_leaks.yaml").read_text(encoding="utf-8"))
SHIPPED = {path.name.removesuffix(".lesson.md"): path for path in lesson_paths()}


@pytest.mark.parametrize("case", DATA["leaks"], ids=lambda case: f"{case['lesson'][:9]}: {case['name']}")
def test_that_the_check_finds_each_planted_leak(case: dict, tmp_path: Path) -> None:
    problems = problems_of(case, tmp_path)
    title = case.get("title", case["step"])
    assert any(problem.key_path[0] == title and is_leak(problem) for problem in problems), problems


@pytest.mark.parametrize("case", DATA["controls"], ids=lambda case: f"{case['lesson'][:9]}: {case['name']}")
def test_that_the_check_is_silent_about_healthy_lessons(case: dict, tmp_path: Path) -> None:
    assert problems_of(case, tmp_path) == []


@pytest.mark.parametrize("name", [*SHIPPED, *DATA["lessons"]])
def test_that_the_lessons_without_a_leak_are_clean(name: str, tmp_path: Path) -> None:
    assert problems_of({"lesson": name}, tmp_path) == []


def is_leak(problem: Problem) -> bool:
    """Return whether a problem reports that the answer is shown."""
    return problem.kind == "answer-shown"


def problems_of(case: dict, folder: Path) -> list[Problem]:
    """Write the changed lesson and its scenes to a folder, and return the problems that the check reports."""
    text = write_scenes(case, folder)
    if "step" in case:
        heading = f"## {case['step']}\n"
        before, found, after = text.partition(heading)
        assert found, case["step"]
        step, following = re.match(r"(.*?)(\n## .*|\Z)", after, re.DOTALL).groups()
        words, block = re.fullmatch(r"(.*?)```yaml\n(.*?)```\s*", step, re.DOTALL).groups()
        changed = merged(yaml.safe_load(block), case.get("block", {}), appends=False)
        heading = f"## {case.get('title', case['step'])}\n"
        text = f"{before}{heading}{words}{case.get('text', '')}\n\n```yaml\n{yaml.safe_dump(changed)}```\n{following}"
    path = folder / "planted.lesson.md"
    path.write_text(text, encoding="utf-8")
    return list(read_lesson(path).advice())


def write_scenes(case: dict, folder: Path) -> str:
    """Write the scenes of a lesson, the one of the changed step with its changes, and return the text of the lesson."""
    change, name = case.get("scene", {}), case["lesson"]
    if name in DATA["lessons"]:
        own = DATA["lessons"][name]
        (folder / "planted.yaml").write_text(yaml.safe_dump(merged({"framescope": 1, **own["scene"]}, change)))
        return own["lesson"]
    text = SHIPPED[name].read_text(encoding="utf-8")
    _, heading, step = text.partition(f"\n## {case.get('step')}\n")
    end = len(text) - len(step) + len(step.partition("\n## ")[0]) if heading else 0
    for match in reversed(list(re.finditer(r"^scene: (.+)$", text, re.MULTILINE))):
        scene = match[1]
        path = assets.path(f"lessons/{scene}") if scene.endswith(".yaml") else example_scenes()[scene]
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        if match.start() < end:
            document, change = merged(document, change), {}
        copy = f"planted {path.name}"
        (folder / copy).write_text(yaml.safe_dump(document, allow_unicode=True), encoding="utf-8")
        text = text[: match.start(1)] + copy + text[match.end(1) :]
    return text


def merged(old: object, new: object, *, appends: bool = True) -> object:
    """Return nested mappings with changes. A list is appended to a list, or replaces it."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{key: merged(old.get(key), value, appends=appends) for key, value in new.items()}}
    return [*old, *new] if appends and isinstance(old, list) and isinstance(new, list) else new
