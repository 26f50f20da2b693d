"""A rotation turn by turn in a page: the orientations, numbers and words of the window's staged mode."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.app.exporters.registry import export
from framescope.core import frames
from framescope.core.analysis.staged_rotation import StagedRotation, staged_rotation_of
from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.evaluation.evaluate import evaluate
from framescope.ui.panels.staged.caption import numbers_of, sentence_of
from framescope.ui.panels.staged.formula import factors_of
from tests.support.browser import Page
from tests.support.examples import example

pytestmark = pytest.mark.window

SIZE, WIDE, T = (900, 560), (1600, 760), 8.0
FRAME, PARENT = "aircraft", "north-east-down"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Give a page of the aircraft."""
    scene, plan, _ = example("aircraft")
    path = tmp_path_factory.mktemp("staged") / "aircraft.html"
    export(scene, plan, path, interactive=True, accuracy=0.5)
    return path


@pytest.fixture
def page(browser, path):
    """Give that page at a moment at which all three angles are set."""
    page = browser.open(path, SIZE, is_reduced=True)
    page.evaluate(f"framescope.seek({T})")
    page.next_picture()
    yield page
    assert page.complaints == []
    page.close()


def step_of(sequence: str = "ZYX") -> StagedRotation:
    """Return the rotation as the core has it; in another sequence by branch 1, as the sliders of the page have it."""
    _, plan, _ = example("aircraft")
    step = staged_rotation_of(plan, evaluate(plan, T), FRAME)
    if sequence == step.sequence:
        return step
    R = frames.axes_rotations(step.sequence, step.angles)
    angles, _ = axes_rotations_angles_branches(R, sequence)
    return StagedRotation(FRAME, PARENT, sequence, tuple(angles))


def go(page: Page, progress: float) -> None:
    """Drag to a progress."""
    page.evaluate(f"""(() => {{ const range = document.getElementById('staged-progress'); range.value = {progress};
      range.dispatchEvent(new Event('input')); }})()""")
    page.next_picture()


def choose(page: Page, box: str, value: str) -> None:
    page.evaluate(f"""(() => {{ const box = document.getElementById('{box}'); box.value = '{value}';
      box.dispatchEvent(new Event('change')); }})()""")
    page.next_picture()


def orientation(page: Page) -> np.ndarray:
    """Return T of the frame in its parent."""
    return np.reshape(page.evaluate(f"framescope.orientation('{FRAME}', '{PARENT}')"), (3, 3)).T


def readings(page: Page) -> dict[str, list[str]]:
    """Return what is said of each reading that is shown: who turns, the numbers, and the factors that are lit."""
    return page.evaluate("""Object.fromEntries([...document.querySelectorAll('[data-reading]:not([hidden])')].map(e =>
      [e.dataset.reading, [e.querySelector('.sentence'), e.querySelector('output'), ...e.querySelectorAll('.is-lit')]
        .map(part => part.textContent)]))""")


def said_of(step: StagedRotation, *sides: str) -> dict[str, list[str]]:
    """Return the same as the window says it."""
    lit = {side: [factor.text for factor in factors_of(step, side) if factor.is_lit] for side in sides}
    return {side: [sentence_of(step, side), numbers_of(step, side), *lit[side]] for side in sides}


@pytest.mark.parametrize(
    ("sequence", "turn_axes"),
    [
        *(("ZYX", "moving"), ("XYZ", "fixed")),
        *(pytest.param(*pair, marks=pytest.mark.soak) for pair in (("ZYX", "fixed"), ("XYZ", "moving"))),
        *(pytest.param("ZXZ", axes, marks=pytest.mark.soak) for axes in ("moving", "fixed")),
    ],
)
def test_that_the_turns_are_those_of_the_core(page, sequence, turn_axes) -> None:
    choose(page, "hand-sequence", sequence)
    page.press("s")
    choose(page, "staged-axes", turn_axes)
    step = replace(step_of(sequence), turn_axes=turn_axes)
    for progress in (0.0, 0.4, 1.0, 1.75, 2.5, 3.0):
        go(page, progress)
        at = step.at(progress)
        np.testing.assert_allclose(orientation(page), at.T, atol=1e-12)
        for side, sides in (("active", ["active"]), ("passive", ["passive"]), ("both", ["active", "passive"])):
            choose(page, "staged-side", side)
            assert readings(page) == said_of(at, *sides)
        states = page.evaluate("[...document.querySelectorAll('.chip')].map(e => e.dataset.state)")
        assert states == [at.state(i) for i in range(3)]
        about = page.evaluate("[...document.querySelectorAll('.chip .about')].map(e => e.textContent)")
        assert about == [at.about(i) for i in range(3)]


def test_that_the_staged_mode_leaves_everything_as_it_was(page) -> None:
    page.evaluate(f"framescope.turn('{FRAME}', 'ZYX', [0.3, 0.2, -0.4])")
    page.next_picture()
    before = orientation(page)
    page.press("s")
    go(page, 1.5)
    assert np.abs(orientation(page) - before).max() > 0.05
    page.press("Escape")
    np.testing.assert_array_equal(orientation(page), before)
    page.click("#staged")
    go(page, 3.0)
    np.testing.assert_allclose(orientation(page), before, atol=1e-15)
    choose(page, "of", PARENT)
    assert page.evaluate("document.getElementById('staged-bar').hidden"), "another frame is chosen"
    choose(page, "of", "world")
    assert page.evaluate("document.getElementById('staged').disabled")


def test_that_it_goes_turn_by_turn_and_plays_to_its_end(page) -> None:
    page.press("s")
    progress = "Number(document.getElementById('staged-progress').value)"
    page.evaluate("document.getElementById('staged-on').focus()")
    for key, there in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.press(key)
        assert page.evaluate(progress) == there
    page.click(".chip:nth-of-type(5)")
    assert page.evaluate(progress) == 3
    page.evaluate("document.activeElement.blur()")
    page.press(" ")
    assert page.evaluate(progress) < 0.5, "it begins again"
    page.wait_until(f"{progress} > 0.05")
    page.press(" ")
    held = page.evaluate(progress)
    page.next_picture()
    assert page.evaluate(progress) == held
    go(page, 2.97)
    page.press(" ")
    page.wait_until(f"{progress} === 3")


def tips(page: Page, half: str = "#tags") -> dict[str, np.ndarray]:
    """Return where the letters of the axes of the frame that is turned are in a half of the picture, by their texts."""
    found = page.evaluate(f"""[...document.querySelectorAll('{half} .tag:not([hidden]) .letter')].map(e =>
      [e.textContent, ...['e', 'f'].map(part => new DOMMatrix(e.parentNode.style.transform)[part])])""")
    return {text: np.array([x, y]) for text, x, y in found}


def test_that_passive_lets_the_frame_stand_and_turns_the_parent_back(page) -> None:
    page.press("s")
    choose(page, "staged-side", "passive")
    go(page, 0.0)
    begin = tips(page)
    go(page, 3.0)
    end = tips(page)
    # Before all turns the frame's axes are x, y, z; a text such as z″ = z‴ names the last ones.
    stands = [np.hypot(*(at - begin[text[0]])) for text, at in end.items() if text.endswith("‴") and text[0] in begin]
    assert len(stands) == 3
    assert max(stands) < 1.0
    choose(page, "staged-side", "active")
    active = tips(page)
    moved = [np.hypot(*(active[text] - end[text])) for text in active.keys() & end.keys() if "‴" in text]
    assert max(moved) > 30.0


def test_that_both_readings_stand_side_by_side_each_as_it_is_alone(page) -> None:
    page.resize(WIDE)
    page.press("s")
    go(page, 1.6)
    choose(page, "staged-side", "both")
    both = [tips(page, half) for half in ("#tags", ".tags.is-second")]
    width = page.box("#stage")["width"]
    assert page.box(".tags.is-second")["x"] == pytest.approx(width / 2)
    assert page.box("[data-reading=active]")["x"] < width / 2 <= page.box("[data-reading=passive]")["x"] + 1
    assert page.box("#staged-bar")["width"] <= width
    picture = page.picture()
    page.resize((round(WIDE[0] - width / 2), WIDE[1]))  # a picture as large as a half was
    for side, found in zip(("active", "passive"), both, strict=True):
        choose(page, "staged-side", side)
        page.next_picture()
        alone = tips(page)
        assert found.keys() == alone.keys()
        for text, at in alone.items():
            np.testing.assert_allclose(found[text], at, atol=1.0)
    page.resize(WIDE)
    choose(page, "staged-side", "both")
    page.next_picture()
    assert page.picture() == picture
    page.press("Escape")
    assert page.box(".tags.is-second")["width"] == 0.0
    assert page.box("#tags")["width"] == width


def test_that_a_divided_picture_is_turned_and_zoomed_as_one(page) -> None:
    page.press("s")
    choose(page, "staged-side", "both")
    width = page.box("#stage")["width"]
    before = [tips(page, half) for half in ("#tags", ".tags.is-second")]
    page.drag((width / 2 - 30, 300), (width / 2 + 60, 320))
    after = [tips(page, half) for half in ("#tags", ".tags.is-second")]
    for old, new in zip(before, after, strict=True):
        assert 3.0 < max(np.hypot(*(new[text] - old[text])) for text in old.keys() & new.keys()) < 200.0
    text = next(iter(after[0].keys() & after[1].keys()))
    for k, half in enumerate(("#tags", ".tags.is-second")):
        at = tips(page, half)[text]
        page.mouse("mouseWheel", k * width / 2 + at[0], at[1], deltaX=0, deltaY=-100)
        page.next_picture()
        assert np.hypot(*(tips(page, half)[text] - at)) < 12.0, "what is under the pointer stays there, nearly"


def test_that_ghosts_letters_and_arcs_are_in_the_picture(page) -> None:
    page.press("s")
    go(page, 1.5)
    shown = tips(page)
    assert {"x′", "x″", "v"} <= shown.keys()
    assert any(text.startswith("y′ = y″") for text in shown)
    values = page.evaluate("[...document.querySelectorAll('.tag:not([hidden]) .value')].map(e => e.textContent)")
    step = step_of()
    assert values == [f"α {np.degrees(step.angles[0]):.1f}°", f"β {np.degrees(step.angles[1]) / 2:.1f}°"]
    with_ghosts = page.picture()
    page.press("Escape")
    assert page.picture() != with_ghosts


def test_that_a_frame_that_a_hand_turns_has_arcs_of_its_angles(page) -> None:
    values = "[...document.querySelectorAll('.tag:not([hidden]) .value')].map(e => e.textContent)"
    own = page.evaluate(values)
    page.evaluate(f"framescope.turn('{FRAME}', 'XYZ', [0.5, -0.4, 7.0])")
    page.next_picture()
    assert page.evaluate(values) == ["α 28.6°", "β −22.9°", "γ 41.1° +1"]
    page.evaluate("document.getElementById('hand-back').click()")
    page.next_picture()
    assert page.evaluate(values) == own
