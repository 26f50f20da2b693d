"""The whole program as a process on a desktop: left in every way there is, it starts again as it was left.

Twelve ways of leaving it, each followed by a start, have every pair of the factors below among them; two chains of them
share what is remembered, so that each start finds what all before it have left.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from itertools import combinations
from pathlib import Path

import pytest

from tests.support.desktop import act_until, wait_until
from tests.support.program import Program, running

SMALL, LARGE = (1280, 800), (1920, 1080)
LAYOUT_KEYS = {"Build": "alt+1", "Learn": "alt+2", "Check": "alt+3"}
CLOSED = ("plots", "timeline", "inspector")
"""Docks that are closed one after another."""

HEADER = (120, 56)
"""Where the header of the first dock is, in the window, logical pixels."""


@dataclass(frozen=True)
class Leaving:
    """How the program is left, and on what it is started again.

    Attributes
    ----------
    state
        Of the window.
    layout, docks
        The layout, and what is done to a dock in it.
    end
        How it is ended.
    screen, scale
        Of the next start.
    """

    state: str
    layout: str
    docks: str
    end: str
    screen: tuple[int, int]
    scale: float


CHAINS = {
    "first minimised": (
        Leaving("minimised", "Build", "as they are", "keys", SMALL, 1.0),
        Leaving("full screen", "Build", "closed", "signal", SMALL, 1.0),
        Leaving("maximised", "Check", "as they are", "signal", SMALL, 1.0),
        Leaving("maximised", "Build", "floating", "button", SMALL, 1.0),
        Leaving("moved", "Check", "closed", "button", LARGE, 1.0),
        Leaving("full screen", "Check", "floating", "keys", LARGE, 1.0),
    ),
    "first on the full screen": (
        Leaving("full screen", "Learn", "as they are", "button", LARGE, 1.5),
        Leaving("moved", "Learn", "floating", "signal", SMALL, 1.5),
        Leaving("minimised", "Learn", "floating", "signal", LARGE, 1.0),
        Leaving("minimised", "Check", "closed", "button", LARGE, 1.5),
        Leaving("maximised", "Learn", "closed", "keys", LARGE, 1.5),
        Leaving("moved", "Build", "as they are", "keys", LARGE, 1.5),
    ),
}


def test_that_every_pair_of_ways_to_leave_and_to_start_is_among_them() -> None:
    rows = [astuple(leaving) for chain in CHAINS.values() for leaving in chain]
    tried = {(i, row[i], j, row[j]) for row in rows for i, j in combinations(range(len(row)), 2)}
    values = [sorted({row[i] for row in rows}) for i in range(len(fields(Leaving)))]
    for i, j in combinations(range(len(values)), 2):
        assert {(i, a, j, b) for a in values[i] for b in values[j]} <= tried


@pytest.mark.parametrize("name", CHAINS)
def test_that_it_starts_again_however_it_was_left(desktop_of, tmp_path, name) -> None:
    desktop, scale = desktop_of(*SMALL), 1.0
    is_maximised, place = False, None
    to_close, floating = iter(CLOSED), set()
    for leaving in CHAINS[name]:
        with running(desktop, tmp_path, QT_SCALE_FACTOR=str(scale)) as program:
            check_start(program, is_maximised, place)
            usual = None if is_maximised else desktop.place(program.window)
            leave(program, leaving, scale, to_close, floating)
            if leaving.state == "moved":
                usual = desktop.place(program.window)
            status = program.end(leaving.end)
            assert status == (128 + signal.SIGTERM if leaving.end == "signal" else 0), program.status
        is_same = (desktop.width, desktop.height) == leaving.screen and scale == leaving.scale
        is_maximised = leaving.state == "maximised"
        place = usual if is_same and not is_maximised else None
        desktop, scale = desktop_of(*leaving.screen), leaving.scale
    with running(desktop, tmp_path, QT_SCALE_FACTOR=str(scale)) as program:
        check_start(program, is_maximised, place)


def check_start(program: Program, is_maximised: bool, place: tuple[int, ...] | None) -> None:
    """Look at a start: nothing went wrong, the window is seen whole, and is as it was left."""
    desktop, window = program.desktop, program.window
    assert "ended before its first picture" not in program.log
    assert "Traceback" not in program.log + program.status
    wait_until(lambda: ("MAXIMIZED_VERT" in desktop.states(window)) == is_maximised, "the state of the window")
    assert not desktop.states(window) & {"FULLSCREEN", "HIDDEN"}
    x, y, width, height = desktop.place(window)
    frame = desktop.frame(window)
    assert x - frame["left"] >= 0
    assert y - frame["top"] >= 0
    assert x + width + frame["right"] <= desktop.width
    assert y + height + frame["bottom"] <= desktop.height
    if place is not None:
        assert (width, height) == place[2:]
        # A pixel is half a logical one; and Qt moves what stands at the very top down, not knowing the frame yet.
        assert (x, y) == pytest.approx(place[:2], abs=1) or place[1] < 2 * frame["top"]


def leave(program: Program, leaving: Leaving, scale: float, to_close, floating: set[str]) -> None:
    """Do all that is done before the end; the layouts in which a dock floats are kept in `floating`."""
    desktop, window = program.desktop, program.window

    def strike(keys: str) -> Callable[[], None]:
        return lambda: desktop.keys(window, keys)

    def toggle(dock: str) -> None:
        desktop.keys(window, "Escape", "ctrl+k")
        desktop.type_in(window, dock)
        desktop.keys(window, "Return")

    desktop.keys(window, "space")  # a scene that plays is drawn again and again
    has_layout = f"place={leaving.layout}\n"
    is_laid_out = lambda: has_layout in program.settings  # noqa: E731
    act_until(strike(LAYOUT_KEYS[leaving.layout]), is_laid_out, "the layout", program.situation)
    if leaving.docks == "closed":
        dock = next(to_close)
        ran = re.compile(rf"^recent-commands=.*{dock}", re.MULTILINE | re.IGNORECASE)
        act_until(lambda: toggle(dock), lambda: ran.search(program.settings), "the command", program.situation)
    elif leaving.docks == "floating":
        if leaving.layout not in floating:  # else it comes up by itself, and would be what is clicked on
            desktop.double_click(window, *(round(scale * at) for at in HEADER))
            floating.add(leaving.layout)
        wait_until(lambda: len(program.windows) == 2, "a dock by itself")
    match leaving.state:
        case "moved":
            desktop.move(window, 40, 50, *(round(0.85 * side) for side in (desktop.width, desktop.height)))
        case "maximised":
            desktop.maximize(window)
        case "full screen":
            is_full = lambda: "FULLSCREEN" in desktop.states(window)  # noqa: E731
            act_until(strike("F11"), is_full, "the full screen", program.situation)
        case _:
            desktop.minimize(window)


def test_that_a_start_that_did_not_get_to_its_picture_is_noticed_by_the_next(desktop_of, tmp_path) -> None:
    desktop = desktop_of(*LARGE)
    with running(desktop, tmp_path) as program:
        desktop.maximize(program.window)
        program.end("keys")
    died = Program(desktop, tmp_path)
    marks: Path = tmp_path / "framescope" / "starts"
    wait_until(lambda: any(marks.glob("*.start")) or died.process.poll() is not None, "the mark of a start")
    died.process.kill()
    assert died.process.wait() == -signal.SIGKILL
    with running(desktop, tmp_path) as program:
        assert desktop.states(program.window) == set()
        assert "The last start ended before its first picture" in program.log
        program.end("keys")
    with running(desktop, tmp_path) as program:
        assert program.log.count("The last start ended before its first picture") == 1
