"""The session itself: what it does with edits that cannot be made."""

from __future__ import annotations

import pytest

from framescope.app.document import Document
from framescope.app.session import Session
from framescope.core.scene.edits import turn_to
from tests.scenes import GOOD, scene_of


@pytest.mark.parametrize("do", ["commit", "preview"])
def test_that_an_edit_of_what_is_gone_changes_nothing_and_is_said(qapp, do) -> None:
    session = Session(Document(scene_of(GOOD)))
    said = []
    session.said.connect(lambda kind, text: said.append((kind, text)))
    before = session.document.scene
    getattr(session, do)(turn_to("gone", 0, 0.3, 0.0, "Turned gone"))
    assert session.document.scene is before
    assert not session.is_previewing
    assert said == [("amber", "What was to be changed is not there any more")]
    assert not session.document.is_dirty
    session.close()
