"""Curves and formulas of the shipped lessons wherever their words are shown: in pages, handouts and captions."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export import handout, page
from framescope.features.lessons.app.export.answers import right_answer
from framescope.features.lessons.app.export.lesson_captions import LessonCaptions
from framescope.features.lessons.app.export.lesson_request import LessonRequest, lesson_request
from framescope.features.lessons.app.export.plain_text import MarkedFormulas, plain_text
from framescope.features.lessons.app.export.printed_plots import HEIGHT, PrintedPlots
from framescope.features.lessons.app.export.storyboard import LessonCaption, storyboard
from framescope.features.lessons.app.lesson_lookup import lesson_paths, read_lesson
from framescope.ui.exports.options import ExportOptions
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT

LESSONS = pytest.mark.parametrize("path", lesson_paths(), ids=lambda path: path.name.partition(".")[0])

TEX = re.compile(r"\$|\\[a-zA-Z]{2,}")
"""A dollar sign or a command of TeX, which a reader must never see."""


@cache
def request_of(path: Path, suffix: str) -> LessonRequest:
    read = read_lesson(path)
    out = Path(f"lesson{suffix}")
    return lesson_request(read.lesson, read.stagings, lambda name: Access(read.folder_of(name)), out, ExportOptions())


def texts_in(data: object) -> list[str]:
    if isinstance(data, str):
        return [data]
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for part in parts for text in texts_in(part)]


@LESSONS
def test_that_a_page_shows_no_raw_formula(path) -> None:
    request = request_of(path, ".html")
    steps = [page.step_data(step.staging, step.plan, 0) for step in request.steps]
    texts = [re.sub(r"<[^>]*>", "", text) for text in texts_in(json.loads(json.dumps(steps)))]
    assert len(texts) > 3 * len(steps)
    assert [text for text in texts if TEX.search(text)] == []


@LESSONS
def test_that_captions_show_no_raw_formula(path) -> None:
    request = request_of(path, ".mp4")
    shots = storyboard(request.lesson, request.steps, 1.0)
    texts = [text for shot in shots for _, caption in shot.captions for text in (caption.title, *caption.rows)]
    assert len(texts) > len(request.steps)
    assert [text for text in texts if TEX.search(text)] == []


def caption_strip(markdown: str, size: tuple[int, int] = (1280, 720)) -> np.ndarray:
    marks = MarkedFormulas()
    caption = LessonCaption("Title", (marks.text_of(markdown),), marks)
    return LessonCaptions([caption], size, DARK, 1.0).strip(caption)


def test_that_formulas_of_captions_are_set(qapp) -> None:
    set_one, words = caption_strip(r"The factor $\frac{1}{2}$ is small."), caption_strip("The factor 1/2 is small.")
    assert set_one.shape[0] > words.shape[0]  # a fraction is higher than a line
    assert caption_strip(r"It is \$a\$, no formula.").shape == caption_strip("It is so, no formula.").shape
    private = caption_strip("A \U000f0000 private character, and $\\omega$.")
    assert private.shape[0] >= words.shape[0]


def test_that_a_caption_with_formulas_is_read_as_long_as_its_plain_text() -> None:
    marks = MarkedFormulas()
    caption = LessonCaption("", (marks.text_of(r"$\frac{\alpha+\beta}{\gamma}$"),), marks)
    assert caption.n_letters == len(plain_text(r"$\frac{\alpha+\beta}{\gamma}$")) > 3


@LESSONS
def test_that_all_captions_of_a_lesson_fit_into_its_film(qapp, path) -> None:
    request = request_of(path, ".mp4")
    texts = [caption for shot in storyboard(request.lesson, request.steps, 1.0) for _, caption in shot.captions]
    captions = LessonCaptions(texts, (1280, 720), DARK, 1.0)
    assert captions.height < 0.4 * 720
    assert all(captions.strip(caption).shape == (captions.height, 1280, 3) for caption in texts[::5])


def plots_of(request: LessonRequest) -> dict[int, list[float]]:
    """Return the heights of the plots of each step with plots."""

    def build() -> dict[int, list[float]]:
        with current_theme.painted_in(LIGHT), PrintedPlots() as printed:
            pieces = {step.number: printed.pieces(step) for step in request.steps}
            return {number: [piece.height for piece in some] for number, some in pieces.items() if some}

    return on_qt(build)


@pytest.mark.window
@LESSONS
def test_that_a_handout_has_the_curves_that_its_text_speaks_of(qapp, path) -> None:
    request = request_of(path, ".pdf")
    expected = {
        step.number: [HEIGHT] * len(step.staging.scene.view.plots)
        for step in request.steps
        if step.staging.scene.view.plots
    }
    assert plots_of(request) == expected


@pytest.mark.window
def test_that_curves_stand_between_the_text_and_the_question_of_a_step(qapp) -> None:
    request = request_of(lesson_paths()[4], ".pdf")
    answers = {
        step.number: right_answer(step.staging.question, step.plan) for step in request.steps if step.staging.question
    }

    def heights(has_plots: bool) -> list[float]:
        with current_theme.painted_in(LIGHT), PrintedPlots() as printed:
            plots = [printed.pieces(step) if has_plots else [] for step in request.steps]
            pieces = handout.handout_pieces(request, [[] for _ in request.steps], plots, answers)
            return [piece.height for piece in pieces]

    with_plots, without = on_qt(lambda: heights(True)), on_qt(lambda: heights(False))
    places = [i for i, height in enumerate(with_plots) if height == HEIGHT]
    assert len(places) == 3
    assert [height for height in with_plots if height != HEIGHT] == without


@LESSONS
def test_that_a_film_has_the_curves_that_its_text_speaks_of(path) -> None:
    request = request_of(path, ".mp4")
    shots = [(step, shot) for step in request.steps for shot in storyboard(request.lesson, (step,), 1.0)]
    for step, shot in shots:
        plots = step.staging.scene.view.plots if shot.chart is None else ()
        assert tuple(inset.curves for inset in shot.shot.insets if inset.curves is not None) == plots
