"""A window that opens: the scene is seen first, then all that stands around it."""

from __future__ import annotations

import pytest

from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.scenes import UNREADABLE


@pytest.fixture
def open_bare(qapp):
    """Open a bare window on a file; it is closed at the end."""
    current_theme.apply_theme(qapp, DARK)
    opened = []

    def open_it(path):
        opened.append(startup.make_opening(path))
        return opened[-1]

    yield open_it
    while opened:
        window = opened.pop().window
        window.close()
        window.deleteLater()


@pytest.fixture
def opening(open_bare):
    return open_bare(find_scene("demo"))


def test_that_the_scene_is_drawn_before_the_panels_are_made_and_they_follow(opening, qtbot) -> None:
    told = []
    window = opening.window
    window.scene_view.first_frame.connect(lambda: told.append(window.is_furnished))
    opening.show(told.append)
    qtbot.waitUntil(lambda: len(told) == 2)
    was_furnished, wiring = told
    assert not was_furnished
    assert window.is_furnished
    assert wiring is opening.finish()
    assert window.inspector.orientation.sequence.currentText() == "XYZ"
    assert window.question.isVisible()
    assert window.question.question is not None


def test_that_a_window_closed_before_it_is_complete_stays_bare(opening, qtbot) -> None:
    told = []
    window = opening.window
    window.scene_view.first_frame.connect(window.hide)
    opening.show(told.append)
    qtbot.wait(50)
    assert not window.isVisible()
    assert not told
    assert not window.is_furnished


def test_that_the_layout_does_not_move_when_the_panels_arrive(opening, qtbot) -> None:
    window = opening.window
    window.show()
    qtbot.waitExposed(window)
    before = window.scene_view.geometry()
    opening.finish()
    qtbot.wait(20)
    assert window.scene_view.geometry() == before


def test_that_what_cannot_be_read_leaves_a_new_scene_and_the_reason(open_bare, tmp_path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(next(iter(UNREADABLE.values()))[0])
    wiring = open_bare(path).finish()
    assert wiring.session.document.path is None
    assert wiring.reports.report.list.problems
