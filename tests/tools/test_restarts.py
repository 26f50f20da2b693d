"""What looks for starts that fail finds them."""

from __future__ import annotations

import sys

from tests.support import program
from tests.support.restarts import Restarts

DIES = "import sys; sys.exit('what is remembered is broken')"


def test_that_a_start_that_fails_is_reported_with_what_it_said(desktop_of, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(program, "COMMAND", (sys.executable, "-c", DIES))
    restarts = Restarts([desktop_of(1280, 800)], seed=1)
    restarts.play(tmp_path, 2)
    assert restarts.count == len(restarts.errors) == 2
    assert restarts.errors[0].startswith("start 1 at 1280 x 800, scale ")
    assert "the program ended with 1 before its first picture\nwhat is remembered is broken" in restarts.errors[0]
