"""The desktops of the tests: windows are managed on them as on a person's own, and nothing of them is left behind."""

from __future__ import annotations

import subprocess

import pytest
from PySide6.QtWidgets import QLabel

from framescope.app.platforms import Host, has_display
from tests.support import desktop


def test_that_windows_of_the_suite_have_a_frame_and_the_keyboard(qtbot) -> None:
    if desktop.lacking() is not None:
        pytest.skip(desktop.lacking())
    window = QLabel("a window")
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: window.frameGeometry().height() > window.height())


def test_that_a_desktop_has_its_size_and_a_window_manager_and_ends(desktop_of) -> None:
    with desktop.desktop(640, 480) as own:
        assert own.display != desktop_of(1280, 800).display
        assert desktop.is_managed(own.display)
        told = subprocess.run(["xwininfo", "-root"], env=own.environ(), capture_output=True, text=True, check=True)
        assert "-geometry 640x480" in told.stdout
    assert not has_display(Host("linux", {"DISPLAY": own.display}))


def test_that_a_test_says_which_program_of_a_desktop_it_lacks(monkeypatch) -> None:
    monkeypatch.setattr(desktop.sys, "platform", "linux")
    monkeypatch.setattr(desktop.shutil, "which", lambda name: None if name in ("openbox", "xdotool") else name)
    assert desktop.lacking() == "not run: openbox and xdotool are missing"
    monkeypatch.setattr(desktop.shutil, "which", lambda name: name)
    assert desktop.lacking() is None
    monkeypatch.setattr(desktop.sys, "platform", "win32")
    assert desktop.lacking().startswith("not run: ")
