"""Lookup of lessons and of their scenes: shipped ones, and files beside a lesson."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from framescope import assets
from framescope.app.session.examples import examples
from framescope.core.errors import ItemError, NoSuchNameError, Problem, SceneError, did_you_mean
from framescope.core.scene.files.loading import load_scene, scene_file_text
from framescope.core.scene.files.referenced_files import files_read
from framescope.core.scene.files.scene_archive import SCENE_SUFFIXES
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access, resolve_named
from framescope.features.lessons.core import SUFFIX
from framescope.features.lessons.core.checking import advice, check_lesson
from framescope.features.lessons.core.lesson import Lesson, LessonError, load_lesson, parse_lesson, texts_of
from framescope.features.lessons.core.staging import Staging
from framescope.ui.theme.formulas import Formula, FormulaError, mathml_of, meant_command
from framescope.ui.theme.lesson_markdown import formulas_of
from framescope.ui.window.dock_table import DOCKS, STACK


@dataclass(frozen=True)
class ReadLesson:
    """Lesson that was read and checked.

    Attributes
    ----------
    path
        File of the lesson.
    lesson
        Content of the lesson.
    stagings
        State of the window at each step.
    path_of
        Function that returns the file of a scene's name.
    """

    path: Path
    lesson: Lesson
    stagings: tuple[Staging, ...]
    path_of: Callable[[str], Path]

    def folder_of(self, name: str) -> Path:
        """Return the folder of the scene of a name."""
        return self.path_of(name).resolve().parent

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Files of the lesson and of its scenes, and the files that the scenes read."""
        paths: list[Path] = [self.path]
        for staging in self.stagings:
            paths.append(self.path_of(staging.scene_name))
            paths += files_read(staging.scene, Access(self.folder_of(staging.scene_name)))
        return tuple(dict.fromkeys(paths))

    def advice(self, i: int | None = None) -> list[Problem]:
        """Return what the author should change although the lesson can be played, such as answers that it shows.

        With a number of a step, from 0, only its scene is examined, and no formulas.
        """

        def load(name: str) -> tuple[Scene, Access]:
            path = self.path_of(name)
            return load_scene(path).scene, Access(path.resolve().parent)

        if i is not None:
            return advice(self.stagings[i : i + 1], load)
        return [*_unknown_commands(self.lesson), *advice(self.stagings, load)]


def lesson_paths() -> list[Path]:
    """Return the files of the shipped lessons, in their order."""
    return sorted(assets.path("lessons").glob(f"*{SUFFIX}"))


@cache
def lesson_titles() -> tuple[tuple[str, Path], ...]:
    """Return the titles and the files of the shipped lessons, in their order."""
    return tuple((load_lesson(path).title, path) for path in lesson_paths())


def next_lesson(path: Path) -> tuple[str, Path] | None:
    """Return the title and the file of the next shipped lesson; None after the last one and after other lessons.

    Lectures, whose names have no number, follow no lesson.
    """
    titles = [entry for entry in lesson_titles() if entry[1].name[0].isdigit()]
    after = [entry for entry, (_, shipped) in zip(titles[1:], titles, strict=False) if shipped == path.resolve()]
    return after[0] if after else None


def find_lesson(named: str) -> Path:
    """Return the file of a lesson: a path, or the name of a shipped lesson, with or without its number.

    Raises
    ------
    LessonError
        When there is no such lesson.
    """
    path = Path(named)
    if path.is_file():
        return path
    shipped = {_short(shipped_path): shipped_path for shipped_path in lesson_paths()}
    by_name = {name: entry for short, entry in shipped.items() for name in (short, short.partition("-")[2])}
    if named in by_name:
        return by_name[named]
    raise LessonError(named, [Problem((), "there is no such lesson.", did_you_mean(named, list(shipped)))])


def read_lesson(path: Path, *, simulates: bool = True) -> ReadLesson:
    """Read and check a lesson, with or without the simulations of its scenes. Safe on any thread.

    Raises
    ------
    LessonError
        When the lesson cannot be read, or uses a name that does not exist.
    """
    try:
        text = scene_file_text(path)
    except SceneError as error:
        raise LessonError(str(path), error.problems) from None
    return read_lesson_text(text, path, simulates=simulates)


def read_lesson_text(text: str, path: Path, *, simulates: bool = True) -> ReadLesson:
    """Parse and check the text of a lesson file, saved or not. Raises as `read_lesson`."""
    folder, scenes = path.resolve().parent, example_scenes()

    def path_of(name: str) -> Path:
        if name.lower().endswith(SCENE_SUFFIXES):
            try:
                return resolve_named(name, Access(folder), (), SCENE_SUFFIXES)
            except ItemError as error:
                raise SceneError(name, [error.problem(())]) from None
        if name not in scenes:
            message = f'there is no example "{name}".'
            raise SceneError(name, [Problem((), message, did_you_mean(name, [*scenes]))])
        return scenes[name]

    @cache
    def load(name: str) -> tuple[Scene, Access]:
        scene_path = path_of(name)
        return load_scene(scene_path).scene, Access(scene_path.resolve().parent)

    lesson = parse_lesson(text, str(path))
    if problems := [*_formula_problems(lesson), *_panel_problems(lesson)]:
        raise LessonError(str(path), problems)
    stagings = check_lesson(lesson, load, str(path), simulates=simulates)
    return ReadLesson(path, lesson, stagings, path_of)


@cache
def example_scenes() -> dict[str, Path]:
    """Return the files of the examples that are scenes, faulty ones included, by their names in lessons."""
    return {example.name: assets.path(example.file) for example in examples() if example.file.endswith(SCENE_SUFFIXES)}


def is_shipped(path: Path) -> bool:
    """Return whether a lesson ships with the program and is therefore read-only."""
    return path.resolve().is_relative_to(assets.path("lessons").resolve())


def scenes_beside(path: Path) -> list[Path]:
    """Return the scene files beside a lesson that the lesson uses."""
    named = {step.moment.scene for step in load_lesson(path).steps}
    return [path.parent / name for name in sorted(named) if name.lower().endswith(SCENE_SUFFIXES)]


def _formulas(lesson: Lesson) -> Iterator[tuple[tuple[str, ...], int | None, Formula]]:
    """Yield the formulas of a lesson, each with the place and the line of its step."""
    texts: list[tuple[tuple[str, ...], int | None, str]] = [((), None, lesson.title), ((), None, lesson.text)]
    for step in lesson.steps:
        step_texts = step.title, step.text, step.moment.notes, *texts_of(step.moment)
        texts += [((step.title,), step.line, text) for text in step_texts]
    return ((where, line, formula) for where, line, text in texts for formula in formulas_of(text))


def _formula_problems(lesson: Lesson) -> Iterator[Problem]:
    """Yield a problem for each text between dollars that is not a valid formula."""
    for where, line, formula in _formulas(lesson):
        try:
            mathml_of(formula)
        except FormulaError as error:
            yield Problem(where, str(error), "Write \\$ for a sign of money.", line=line)


def _unknown_commands(lesson: Lesson) -> Iterator[Problem]:
    """Yield a problem for each command of a formula that TeX does not have, and that is shown as it is written."""
    reported: set[tuple[object, ...]] = set()
    for where, line, formula in _formulas(lesson):
        for node in mathml_of(formula).iter():
            command = (node.text or "").strip()
            if not re.fullmatch(r"\\[A-Za-z]+", command) or (line, command) in reported:
                continue
            reported.add((line, command))
            message = f"{command} is no command of TeX, and is shown as it is written."
            yield Problem(where, message, f"Write {meant_command(command)}.", severity="amber", line=line)


def _panel_problems(lesson: Lesson) -> Iterator[Problem]:
    """Yield a problem for each panel that the window lacks."""
    for step in lesson.steps:
        name = step.moment.panel
        if name and name not in PANELS:
            problem = NoSuchNameError(("panel",), "panel", name, PANELS).problem(())
            yield replace(problem, key_path=(step.title, "panel"), line=step.lines.get(("panel",), step.line))


PANELS = tuple(name for name in DOCKS if name not in (*STACK, "lesson"))
"""Panels that a step can show large."""


def _short(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)
