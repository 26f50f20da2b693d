"""The staged mode on a session: it plays with a clock of its own, and leaves nothing behind."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.app.session.staged_mode import SECONDS_PER_TURN, StagedMode
from framescope.core.errors import RefusedError
from framescope.core.scene.edits.authored_angles import turn_to
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.edits.items import remove_items
from tests.core.test_staged_rotation import SCENE
from tests.support.scenes import scene_of

PLANE = ("frames", "plane")


class Clock:
    """A clock that stands until it is told."""

    def __init__(self) -> None:
        self.t = 100.0

    def __call__(self) -> float:
        return self.t


@pytest.fixture
def session(qapp):
    session = Session(Document(scene_of(SCENE)))
    session.start()
    session.scrub(2.0)
    session.select(PLANE)
    yield session
    session.close()
    session.deleteLater()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def mode(session, clock) -> StagedMode:
    return StagedMode(session, session, clock)


def turned(session, name="plane") -> np.ndarray:
    return session.snapshot.T_PF[session.snapshot.index[name]]


def test_that_it_begins_at_the_parent_and_leaves_the_scene_exactly_as_it_was(session, mode) -> None:
    scene, before = session.document.scene, turned(session).copy()
    mode.set_on(True)
    np.testing.assert_allclose(turned(session), np.eye(3), atol=1e-12)
    mode.go(1)
    mode.go_to(2.4)
    assert session.is_previewing
    assert session.document.scene is scene
    mode.set_on(False)
    assert not session.is_previewing
    assert not mode.is_on
    assert session.plan.scene is scene
    assert session.document.history.undo_label is None
    np.testing.assert_array_equal(turned(session), before)


def test_that_it_plays_to_the_end_by_its_own_clock(session, mode, clock) -> None:
    before = turned(session).copy()
    heard: list[bool] = []
    mode.playing_changed.connect(heard.append)
    mode.set_on(True)
    mode.toggle_play()
    clock.t += 0.5 * SECONDS_PER_TURN
    mode.advance()
    assert mode.step.progress == pytest.approx(0.5)
    clock.t += 10 * SECONDS_PER_TURN
    mode.advance()
    assert mode.step.is_at_end
    assert not mode.is_playing
    assert heard == [True, False]
    np.testing.assert_allclose(turned(session), before, atol=1e-12)
    mode.toggle_play()
    assert mode.step.progress == 0.0
    assert mode.is_playing


def test_that_the_clock_of_the_scene_rests_and_goes_on_afterwards(session, mode) -> None:
    session.toggle_play()
    mode.set_on(True)
    assert not session.playback.is_playing
    mode.go(1)
    assert not session.playback.is_playing
    t = session.playback.t
    mode.leave()
    assert session.playback.is_playing
    assert session.playback.t == t


def test_that_a_scene_that_stood_still_stands_still_afterwards(session, mode) -> None:
    mode.set_on(True)
    mode.leave()
    assert not session.playback.is_playing


@pytest.mark.parametrize("leave", ["selection", "document", "removal"])
def test_that_it_ends_where_its_frame_is_left(session, mode, leave) -> None:
    mode.set_on(True)
    mode.go_to(1.5)
    {
        "selection": lambda: session.select(("frames", "base")),
        "document": lambda: session.open("staged", lambda: Document(scene_of(SCENE))),
        "removal": lambda: session.commit(remove_items(session.document.scene, [PLANE])),
    }[leave]()
    QApplication.processEvents()
    assert not mode.is_on
    assert not session.is_previewing
    assert session.plan.scene is session.document.scene


@pytest.mark.parametrize("change", ["edit", "preview", "undo", "redo", "cancel", "refused"])
def test_that_it_goes_on_with_whatever_else_a_person_does_to_the_frame(session, mode, change) -> None:
    at_first = session.plan.angles("plane", 2.0)[0][1]
    first, edit = turn_to("plane", 1, 0.3, 2.0, "Turned plane"), turn_to("plane", 1, 0.5, 2.0, "Turned plane again")
    session.commit(first)
    if change == "redo":
        session.undo()
    mode.set_on(True)
    mode.go_to(1.5)
    before = session.document.scene
    match change:
        case "edit":
            session.commit(edit)
        case "preview" | "cancel":
            session.preview(edit)
            assert mode.is_aside
            assert session.plan.scene == edit.apply(before), "a gesture is seen as it is"
            assert mode.step.progress == 3.0
            session.preview(turn_to("plane", 1, 0.6, 2.0, "Turned plane more"))
            session.commit(edit) if change == "preview" else session.cancel()
        case "refused":
            session.commit(Edit("Nothing", _refuse))
        case _:
            getattr(session, change)()
    QApplication.processEvents()
    assert mode.is_on
    assert not mode.is_aside
    assert mode.step.progress == 1.5
    after = {"edit": 0.5, "preview": 0.5, "undo": at_first, "redo": 0.3, "cancel": 0.3, "refused": 0.3}
    assert mode.step.angles[1] == pytest.approx(after[change])
    assert session.is_previewing
    assert (session.document.scene == before) == (change in ("cancel", "refused"))
    mode.leave()
    assert session.plan.scene is session.document.scene
    assert "turn by turn" not in (session.document.history.undo_label or "")


def _refuse(_scene):
    raise RefusedError("no")


def test_that_undo_takes_back_one_change_after_another_and_stays(session, mode) -> None:
    scenes = [session.document.scene]
    mode.set_on(True)
    mode.go_to(2.0)
    for angle in (0.1, 0.2, 0.3):
        session.commit(turn_to("plane", 1, angle, 2.0, "Turned plane"))
        QApplication.processEvents()
        scenes.append(session.document.scene)
    for scene in reversed(scenes[:-1]):
        session.undo()
        QApplication.processEvents()
        assert session.document.scene == scene
        assert mode.step.progress == 2.0
    session.undo()
    QApplication.processEvents()
    assert mode.is_on


def test_that_another_item_on_the_same_frame_may_be_selected(session, mode) -> None:
    mode.set_on(True)
    session.selection_changed.emit(PLANE)
    assert mode.is_on


def test_that_at_another_time_the_same_share_of_other_angles_is_shown(session, mode) -> None:
    mode.set_on(True)
    mode.go_to(0.5)
    session.scrub(4.0)
    assert np.degrees(mode.step.angles[0]) == pytest.approx(80.0)
    assert mode.step.progress == 0.5
    session.end_scrub()
    assert not session.playback.is_playing
    mode.leave()
    assert session.playback.t == 4.0


def test_that_a_frame_of_another_form_is_shown_in_the_sequence_it_is_read_in(session, mode) -> None:
    session.select(("frames", "quiet"))
    before = turned(session, "quiet").copy()
    mode.set_on(True, "YXZ")
    mode.go_to(3.0)
    assert session.plan.sequence("quiet") == "YXZ"
    np.testing.assert_allclose(turned(session, "quiet"), before, atol=1e-12)


def test_that_what_cannot_be_shown_is_said(session, mode) -> None:
    heard: list[tuple[str, str]] = []
    mode.status.connect(lambda *said: heard.append(said))
    session.select(("frames", "bob"))
    mode.set_on(True)
    assert not mode.is_on
    assert not session.is_previewing
    assert heard[0][0] == "note"
    assert "bob is simulated" in heard[0][1]


def test_that_its_preview_is_told_before_the_scene_shows_it(session, mode) -> None:
    order: list[object] = []
    mode.changed.connect(lambda step: order.append(None if step is None else step.progress))
    session.plan_changed.connect(lambda _plan, is_preview: order.append(is_preview))
    mode.set_on(True)
    mode.go(1)
    mode.leave()
    assert order == [0.0, True, 1.0, True, None, False]


def test_that_it_goes_on_after_an_edit_of_something_else(session, mode) -> None:
    mode.set_on(True)
    session.commit(Edit("Named the scene", lambda scene: scene.model_copy(update={"title": "Three turns"})))
    QApplication.processEvents()
    assert mode.is_on
    assert session.plan.scene.title == "Three turns"


@pytest.mark.parametrize("unit", ["deg", "rad"])
def test_that_the_preview_keeps_the_unit_of_the_scene(session, mode, unit) -> None:
    authored = session.document.scene.frames["plane"].orientation
    orientation = authored.model_copy(update={"unit": unit})
    session.commit(Edit("Changed", lambda scene: set_frame(scene, "plane", orientation=orientation)))
    angles = session.plan.angles("plane", 2.0)[0]
    mode.set_on(True)
    mode.go_to(3.0)
    assert session.plan.scene.frames["plane"].orientation.unit == unit
    np.testing.assert_allclose(session.plan.angles("plane", 2.0)[0], angles, rtol=1e-14)
