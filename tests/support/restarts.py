"""Starts of the real program with what random use has left: on other screens, and left in another way each time."""

from __future__ import annotations

import random
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.desktop import Desktop, act_until
from tests.support.program import Program, running

SCREENS = ((1280, 800), (1920, 1080), (1024, 700))
SCALES = ("1", "1", "1.25", "2")
STATES = ("as it is", "maximised", "moved", "minimised", "full screen")
ENDS = {"keys": 0, "button": 0, "signal": 128 + signal.SIGTERM, "kill": -signal.SIGKILL}
"""Ways to end it, each with its exit status."""

LAYOUTS = ("alt+1", "alt+2", "alt+3")


@dataclass
class Restarts:
    """Starts the program, and notes what goes wrong.

    Attributes
    ----------
    desktops
        One of them is chosen for each start.
    seed
        Of the choices.
    count
        How many starts there were.
    errors
        Starts that failed, exceptions that nobody has caught, and ends with another status than theirs, as text.
    """

    desktops: Sequence[Desktop]
    seed: int
    count: int = 0
    errors: list[str] = field(default_factory=list)

    def play(self, home: Path, n_starts: int, *arguments: str) -> None:
        """Start it so often, one time after another, with what is remembered in a folder."""
        for _ in range(n_starts):
            self.count += 1
            choice = random.Random(f"{self.seed} {self.count}")
            desktop, scale = choice.choice(self.desktops), choice.choice(SCALES)
            layout, state, end = choice.choice(LAYOUTS), choice.choice(STATES), choice.choice(tuple(ENDS))
            what = f"start {self.count} at {desktop.width} x {desktop.height}, scale {scale}, {layout}, {state}, {end}"
            try:
                with running(desktop, home, *arguments, QT_SCALE_FACTOR=scale) as program:
                    _leave(program, layout, state)
                    status = program.end(end)
            except (AssertionError, TimeoutError, subprocess.SubprocessError) as error:
                self.errors.append(f"{what}: {error}")
                continue
            if status != ENDS[end]:
                self.errors.append(f"{what}: ended with {status}\n{program.status}")
            if "Traceback" in program.status:
                self.errors.append(f"{what}: {program.status}")


def _leave(program: Program, layout: str, state: str) -> None:
    """Bring the window into a layout and a state."""
    desktop, window = program.desktop, program.window
    desktop.keys(window, layout)
    match state:
        case "maximised":
            desktop.maximize(window)
        case "moved":
            desktop.manage(window, "-e", f"0,30,40,{desktop.width - 90},{desktop.height - 90}")
        case "minimised":
            desktop.minimize(window)
        case "full screen":
            is_full = "FULLSCREEN"
            act_until(lambda: desktop.keys(window, "F11"), lambda: is_full in desktop.states(window), "full screen")
        case _:
            pass
