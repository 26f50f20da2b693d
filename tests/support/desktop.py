"""A desktop of the tests' own: a virtual display with a window manager, and what is done to the windows on it.

Xvfb and openbox make it, openbox with a configuration of its own; wmctrl, xdotool, xprop and xwininfo drive it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CONFIGURATION = Path(__file__).with_name("openbox.xml")
PROGRAMS = ("Xvfb", "openbox", "wmctrl", "xdotool", "xprop", "xwininfo")
LIMIT_S = 60.0
"""How long anything may take on a busy machine."""

AGAIN_S = 15.0
"""How long keys may take until they are struck again."""

EVERY_S = 0.05
"""Between two looks, most of which start a process."""


def lacking() -> str | None:
    """Return what is missing for a desktop, as a reason for a test not to be run; None where all is there."""
    if sys.platform != "linux":
        return "not run: there is a desktop of the tests' own on Linux alone"
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if not missing:
        return None
    return f"not run: {' and '.join(missing)} {'are' if len(missing) > 1 else 'is'} missing"


TRIES = 5
"""How often a window manager is started that ends at once."""


def wait_until(is_so: Callable[[], object], what: str, for_s: float = LIMIT_S) -> None:
    """Wait until something is so; fail with what it is when it takes too long."""
    end = time.monotonic() + for_s
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {for_s:.0f} s")
        time.sleep(EVERY_S)


def act_until(
    act: Callable[[], object], is_so: Callable[[], object], what: str, told: Callable[[], str] = lambda: ""
) -> None:
    """Do something with keys until it has done what it is for; where it never does, fail with what is `summary`.

    A window that comes up late, such as a dock that floats, takes the keyboard away from the one they are meant for.
    """
    for _ in range(round(LIMIT_S / AGAIN_S)):
        act()
        with contextlib.suppress(TimeoutError):
            return wait_until(is_so, what, AGAIN_S)
    raise TimeoutError(f"{what}: not after {round(LIMIT_S / AGAIN_S)} times\n{told()}")


@contextmanager
def window_manager(display: str) -> Iterator[None]:
    """Run openbox on a display that has no window manager, with nothing of the settings of whoever runs it."""
    with tempfile.TemporaryDirectory() as home:
        environ = os.environ | {"DISPLAY": display, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
        command = ["openbox", "--sm-disable", "--config-file", str(CONFIGURATION)]
        said = Path(home) / "said.txt"
        for tries_left in range(TRIES - 1, -1, -1):
            with said.open("wb") as out, subprocess.Popen(command, env=environ, stdout=out, stderr=out) as process:
                try:
                    wait_until(lambda p=process: is_managed(display) or p.poll() is not None, "the window manager")
                    if process.poll() is None:
                        yield
                        return
                finally:
                    process.terminate()
            if not tries_left:  # a display that begins anew just then turns it away; one that is gone always does
                raise RuntimeError(f"openbox on {display} ended with {process.returncode}: {said.read_text()}")


def is_managed(display: str) -> bool:
    """Return whether a display has a window manager."""
    return _run(display, "wmctrl", "-m").returncode == 0


@contextmanager
def desktop(width: int, height: int) -> Iterator[Desktop]:
    """Start a virtual display with a window manager on it; both end with it, and what still runs there loses it."""
    reading, writing = os.pipe()
    screen = ["-screen", "0", f"{width}x{height}x24", "+extension", "GLX", "-nolisten", "tcp", "-noreset"]
    command = ["Xvfb", "-displayfd", str(writing), *screen]
    silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, pass_fds=(writing,), **silent) as process:
        try:
            os.close(writing)
            with os.fdopen(reading) as told:
                number = told.readline().strip()  # said when it takes orders
            if not number:
                raise RuntimeError("Xvfb did not start")
            with window_manager(f":{number}"):
                yield Desktop(f":{number}", width, height)
        finally:
            process.terminate()


@dataclass(frozen=True)
class Desktop:
    """A display with a window manager.

    Attributes
    ----------
    display
        Its name, such as ``:7``.
    width, height
        Of the screen, pixels.
    """

    display: str
    width: int
    height: int

    def environ(self, **more: str) -> dict[str, str]:
        """Return the environment of a program on it."""
        kept = {key: value for key, value in os.environ.items() if key not in ("WAYLAND_DISPLAY", "QT_SCALE_FACTOR")}
        return kept | {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"} | more

    def windows_of(self, pid: int) -> dict[str, str]:
        """Return the windows of a process that the manager has, by their ids, each with its title."""
        lines = _run(self.display, "wmctrl", "-lp").stdout.splitlines()
        parts = (line.split(maxsplit=4) for line in lines)  # id, desktop, process, machine, title
        return {words[0]: words[4] for words in parts if len(words) == 5 and int(words[2]) == pid}

    def situation(self) -> str:
        """Return all windows with their places and states, and which of them has the keyboard."""
        listed = _run(self.display, "wmctrl", "-lpG").stdout
        states = (f"{line.split()[0]} {sorted(self.states(line.split()[0]))}" for line in listed.splitlines())
        active, focused = (_run(self.display, "xdotool", word).stdout for word in ("getactivewindow", "getwindowfocus"))
        return "\n".join([listed, *states, f"active: {active.strip()}, with the keyboard: {focused.strip()}"])

    def place(self, window: str) -> tuple[int, int, int, int]:
        """Return where a window is, without its frame: left, top, width and height, pixels."""
        told = _run(self.display, "xwininfo", "-id", window).stdout
        values = {name.strip(): value for name, _, value in (line.partition(":") for line in told.splitlines())}
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        x, y, width, height = (int(values[name]) for name in names)
        return x, y, width, height

    def frame(self, window: str) -> Mapping[str, int]:
        """Return how wide the frame is that the manager has put around a window, on each side, pixels."""
        told = _run(self.display, "xprop", "-id", window, "_NET_FRAME_EXTENTS").stdout
        sides = (int(side) for side in told.partition("=")[2].split(","))
        return dict(zip(("left", "right", "top", "bottom"), sides, strict=True))

    def states(self, window: str) -> set[str]:
        """Return the states of a window, such as ``MAXIMIZED_VERT``, ``FULLSCREEN`` or ``HIDDEN``."""
        told = _run(self.display, "xprop", "-id", window, "_NET_WM_STATE").stdout
        return {word.strip().removeprefix("_NET_WM_STATE_") for word in told.partition("=")[2].split(",")} - {""}

    def is_transient(self, window: str) -> bool:
        """Return whether a window belongs to another, as dialogs and docks that float do."""
        return "window id" in _run(self.display, "xprop", "-id", window, "WM_TRANSIENT_FOR").stdout

    def manage(self, window: str, *orders: str) -> None:
        """Have the manager do something to a window, as `wmctrl` calls it."""
        _run(self.display, "wmctrl", "-i", "-r", window, *orders).check_returncode()

    def maximize(self, window: str) -> None:
        """Maximise a window, and wait until it is."""
        self.manage(window, "-b", "add,maximized_vert,maximized_horz")
        wait_until(lambda: "MAXIMIZED_VERT" in self.states(window), "the maximised window")

    def move(self, window: str, x: int, y: int, width: int, height: int) -> None:
        """Move a window and give it another size, also one that is maximised, and wait until it has it."""
        self.manage(window, "-b", "remove,maximized_vert,maximized_horz")
        wait_until(lambda: "MAXIMIZED_VERT" not in self.states(window), "the window of usual size")
        self.manage(window, "-e", f"0,{x},{y},{width},{height}")
        wait_until(lambda: self.place(window)[2:] == (width, height), "the size of the window")

    def minimize(self, window: str) -> None:
        """Minimise a window, and wait until it is."""
        _run(self.display, "xdotool", "windowminimize", window).check_returncode()
        wait_until(lambda: "HIDDEN" in self.states(window), "the minimised window")

    def close(self, window: str) -> None:
        """Close a window as by the button of its frame."""
        _run(self.display, "wmctrl", "-i", "-c", window).check_returncode()

    def keys(self, window: str, *keys: str) -> None:
        """Strike real keys, such as ``ctrl+q``, in a window that gets the keyboard first."""
        _run(self.display, "xdotool", "windowactivate", "--sync", window, "key", *keys).check_returncode()

    def type_in(self, window: str, text: str) -> None:
        """Type a text in a window that gets the keyboard first."""
        _run(self.display, "xdotool", "windowactivate", "--sync", window, "type", text).check_returncode()

    def double_click(self, window: str, x: int, y: int) -> None:
        """Click twice at a place in a window, by the pointer of the screen."""
        left, top, _, _ = self.place(window)
        at = ("mousemove", "--sync", str(left + x), str(top + y))
        _run(self.display, "xdotool", *at, "click", "--repeat", "2", "--delay", "50", "1").check_returncode()


def _run(display: str, *command: str) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {"DISPLAY": display, "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=LIMIT_S)
