"""The whole program as a process on a desktop: started as a person does, and ended in every way there is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.desktop import LIMIT_S, Desktop, act_until, wait_until

SETTINGS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
SHADERS = Path.home() / ".cache"
"""Where Mesa keeps the shaders that it has compiled, which take half a second of a start without a graphics card."""

COMMAND = (sys.executable, "-P", "-m", "framescope.app")


class Program:
    """The program, running on a desktop.

    Parameters
    ----------
    desktop
        Where its window comes up.
    home
        Where its settings are, and all else that it writes for itself.
    arguments
        Of its command line, such as a scene.
    command
        What starts it; empty for `COMMAND`.
    folder
        Where it is started; by default in the folder of the tests.
    environ
        What its environment has besides.
    """

    def __init__(
        self,
        desktop: Desktop,
        home: Path,
        *arguments: str,
        command: Sequence[str | Path] = (),
        folder: Path | None = None,
        **environ: str,
    ) -> None:
        self.desktop, self.home = desktop, home
        self._said = home / "said.txt"
        own = dict.fromkeys(SETTINGS, str(home)) | {"QT_API": "pyside6", "PYTHONFAULTHANDLER": "1"}
        own["MESA_SHADER_CACHE_DIR"] = os.environ.get("XDG_CACHE_HOME", str(SHADERS))
        with self._said.open("wb") as said:
            self.process = subprocess.Popen(
                [*(command or COMMAND), *arguments],
                cwd=folder,
                env=desktop.environ(**own, **environ),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )

    @property
    def status(self) -> str:
        """What it has written to its terminal."""
        return self._said.read_text(encoding="utf-8", errors="replace")

    @property
    def log(self) -> str:
        """Its log, of this start and of those before it."""
        file = self.home / "framescope" / "framescope.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def settings(self) -> str:
        """The file that it remembers by, as it is now."""
        file = self.home / "Framescope" / "framescope.ini"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def windows(self) -> dict[str, str]:
        """Its windows by their ids, each with its title: that of the scene, and docks that float."""
        return self.desktop.windows_of(self.process.pid)

    @property
    def window(self) -> str:
        """The id of the window that has the scene."""
        found = [window for window in self.windows if not self.desktop.is_transient(window)]
        assert found, f"it has no window\n{self.status}"
        return found[0]

    def situation(self) -> str:
        """Return what can be known of it from outside, for the message of a test that has failed."""
        is_over = self.process.poll()
        return f"{self.desktop.situation()}\nended: {is_over}\nsettings:\n{self.settings}\nlog:\n{self.log[-2000:]}"

    def wait_for_picture(self) -> str:
        """Wait until its window is complete and has stood for a moment; return the window."""

        def is_complete() -> bool:
            status = self.process.poll()
            assert status is None, f"the program ended with {status} before its first picture\n{self.status}"
            if any((self.home / "framescope" / "starts").glob("*")):  # which costs less to ask than the desktop
                return False
            return not all(map(self.desktop.is_transient, self.windows))

        wait_until(is_complete, "the first picture")
        return self.window

    def end(self, how: str) -> int:
        """End it: by ``keys``, the ``button`` of its frame, a ``signal``, or ``kill``; return its exit status."""
        match how:
            case "keys":
                window = self.window
                is_over = lambda: self.process.poll() is not None  # noqa: E731
                act_until(lambda: self.desktop.keys(window, "ctrl+q"), is_over, "the end", self.situation)
            case "button":
                self.desktop.close(self.window)
            case "kill":
                self.process.kill()
            case _:
                self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LIMIT_S)


@contextmanager
def running(desktop: Desktop, home: Path, *arguments: str, **options: Any) -> Iterator[Program]:
    """Start the program and wait for its first picture; what still runs at the end is killed."""
    program = Program(desktop, home, *arguments, **options)
    try:
        program.wait_for_picture()
        yield program
    finally:
        program.process.kill()
        program.process.wait(LIMIT_S)
