"""A second run as a ghost, by hand: from the menu, and taken back."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.support.modelica_results import pendulum, write
from tests.support.whole_window import wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")


def test_that_a_second_result_joins_as_a_ghost_and_is_taken_back_as_one_step(qtbot, tmp_path, monkeypatch) -> None:
    for name in ("first", "second"):
        write(tmp_path / f"{name}_res.mat", pendulum())
    with windows(qtbot) as open_it:
        wiring = open_it(tmp_path / "first_res.mat")
        session = wiring.session
        before = session.document.scene
        answer = staticmethod(lambda *_: (str(tmp_path / "second_res.mat"), ""))
        monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
        wiring.window.commands.of_features["add_ghost"].trigger()
        wait_for(lambda: "second" in session.document.scene.frames)
        both = session.document.scene
        assert len(both.frames) == 2 * len(before.frames) + 1
        session.scrub(0.7)
        snapshot, index = session.snapshot, session.plan.index
        assert snapshot.p_WF[index["boxBody2.frame_b"]] == pytest.approx(snapshot.p_WF[index["boxBody2.frame_b_2"]])
        session.undo()
        assert session.document.scene == before
