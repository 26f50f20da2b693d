"""Approved pictures: what is drawn of the scenes of `approved_scenes` is what a person has looked at and approved."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from framescope.ui.scene_view import visual_registry as of_view
from tests.support import approval
from tests.support.approved_scenes import UNSEEN, VISUALS, cases
from tests.tools import approve

pytestmark = pytest.mark.approval

CASES = cases()
HINT = (
    "If it is meant so: .venv/bin/python -m tests.tools.approve, look at build/approved/index.html, then add --approve."
)


@pytest.fixture(scope="module")
def window():
    """Give the window that draws all pictures."""
    found = approval.new_window()
    yield found
    found.Finalize()


@pytest.mark.parametrize("name", CASES)
def test_that_a_picture_is_as_it_was_approved(window, name) -> None:
    faults = approval.defects(CASES[name], approval.drawn(CASES[name], window=window))
    assert not faults, f"{name} differs: {'; '.join(faults[:5])}. {HINT}"


def test_that_every_visual_has_a_picture_and_every_picture_a_scene() -> None:
    names = {visual.__name__ for visual in of_view.VISUALS}
    missing = names - set(VISUALS) - set(UNSEEN)
    assert not missing, f"tests/support/approved_scenes.py has no scene for {sorted(missing)}."
    assert set(VISUALS) <= names
    assert {path.stem for path in approval.FOLDER.glob("*.png")} <= set(CASES)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.visual])
def test_that_a_picture_shows_when_its_visual_is_missing(window, name) -> None:
    case = CASES[name]
    others = [visual for visual in of_view.VISUALS if visual.__name__ != case.visual]
    assert approval.defects(case, approval.drawn(case, visuals=others, window=window))


def test_that_approved_pictures_are_small_files() -> None:
    for path in approval.FOLDER.glob("*.png"):
        assert path.stat().st_size < 40_000, path.name
        with Image.open(path) as image:
            assert image.size == approval.SIZE


def test_that_a_picture_drawn_larger_or_with_few_colours_is_still_the_same() -> None:
    case = CASES["visual-Rings"]
    text = ("AxisLetters", "Labels", "ViewCube", "ArrowScales", "Overlay")
    visuals = [visual for visual in of_view.VISUALS if visual.__name__ not in text]
    picture = approval.drawn(case, visuals=visuals)
    assert not approval.differences(picture, approval.drawn(case, enlarged=2, visuals=visuals))
    assert not approval.differences(picture, np.asarray(approval.reduced(picture).convert("RGB")))


def test_that_a_difference_is_told_where_it_is() -> None:
    old = np.full((*approval.SIZE[::-1], 3), 100, dtype=np.uint8)
    new = old.copy()
    new[110:122, 310:322] = (100, 190, 100)
    found = approval.differences(old, new)
    assert str(found[0]) == "90 of 255 at x 300 to 325, y 100 to 125"
    assert approval.differences(old, old) == []
    new = old.copy()
    new[110, 310] = 255  # one pixel may be noise
    assert approval.differences(old, new) == []
    assert approval.differences(old, old[:-1])[0].most == 255


def test_that_approving_keeps_the_new_picture_and_the_page_shows_both(tmp_path, monkeypatch, capsys) -> None:
    name = "visual-Triads"
    monkeypatch.setattr(approval, "FOLDER", tmp_path / "approved")
    monkeypatch.setattr(approve, "REVIEW", tmp_path / "review")
    page = tmp_path / "review" / "index.html"
    assert approve.main([name]) == 1
    assert "there is no approved picture yet" in page.read_text("utf-8")
    assert not approval.path_of(name).exists()
    assert approve.main(["--approve", name]) == 0
    assert approval.path_of(name).is_file()
    assert approve.main([name]) == 0
    assert "All pictures are as approved" in page.read_text("utf-8")
    changed = Image.open(approval.path_of(name)).convert("RGB")
    changed.paste((255, 0, 0), (40, 40, 70, 70))
    changed.save(approval.path_of(name))
    assert approve.main([name]) == 1
    text = page.read_text("utf-8")
    assert [text.count(f"{name}.{kind}.png") for kind in ("old", "new", "difference")] == [1, 1, 1]
    assert "of 255 at x 25 to 50, y 25 to 50" in capsys.readouterr().out
    for kind in ("old", "new", "difference"):
        with Image.open(tmp_path / "review" / f"{name}.{kind}.png") as image:
            assert image.size == approval.SIZE
