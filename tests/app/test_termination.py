"""The end at the demand of others: what was edited right before is offered at the next start, nothing else is left."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from framescope.app.session.recovery import find_recoveries
from tests.support.scenes import GOOD

pytestmark = [
    pytest.mark.process,
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="signals and displays are others there"),
]
FOR_S = 120.0
"""How long a program may take to start, or to end, on a machine that does much else."""

PROGRAM = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which `nohup` before the suite has ignored,
signal.signal(signal.SIGINT, signal.default_int_handler)  # and that a shell does where the suite is in the background
from framescope.app import startup
from framescope.core.scene.edits.items import ItemEdit

go_on = startup._finish_start

def edit(*given):
    go_on(*given)
    wiring = given[-1]
    if "edited" in sys.argv:
        wiring.session.commit(ItemEdit("Called it", lambda scene: scene.model_copy(update={"title": "unsaved"})))
    print("ready", flush=True)

startup._finish_start = edit
sys.exit(startup.open_window(sys.argv[1]))
"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return path


@contextmanager
def started(scene, *arguments, **variables):
    """Give the program with the window on a scene, edited if that is among the arguments, and nothing written yet."""
    command = [sys.executable, "-P", "-c", PROGRAM, str(scene), *arguments]
    temporary = scene.parent / "temporary"
    temporary.mkdir()
    environ = os.environ | {"TMPDIR": str(temporary)} | variables
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert select.select([process.stdout], [], [], FOR_S)[0], "it does not start"
            assert process.stdout.readline() == b"ready\n", process.stderr.read()
            yield process
        finally:
            process.kill()


def kept(home) -> list[str]:
    """Return the unsaved work that the next start offers, cleared away."""
    found = find_recoveries(Path(home) / "framescope" / "recovery")
    texts = [recovery.text for recovery in found]
    for recovery in found:
        recovery.discard()
    return texts


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_that_a_signal_ends_it_without_a_word_and_keeps_the_last_edit(name, scene, settings_of_its_own) -> None:
    with started(scene, "edited") as process:
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=FOR_S)
    assert process.returncode == 128 + getattr(signal, name)
    assert said.decode() == ""
    ((text),) = kept(settings_of_its_own)
    assert "unsaved" in text
    assert scene.read_text() == GOOD
    assert list((scene.parent / "temporary").iterdir()) == []


def test_that_what_is_saved_is_not_offered_after_a_signal(scene, settings_of_its_own) -> None:
    with started(scene) as process:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=FOR_S)
    assert process.returncode == 128 + signal.SIGTERM
    assert kept(settings_of_its_own) == []
    assert not list((settings_of_its_own / "framescope" / "recovery").glob("*"))


def test_that_a_display_that_goes_away_keeps_the_last_edit(scene, settings_of_its_own) -> None:
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1000x800x24", "+extension", "GLX", "-noreset"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as display:
        try:
            os.close(writing)
            with os.fdopen(reading) as told:
                number = told.readline().strip()
            with started(scene, "edited", DISPLAY=f":{number}") as process:
                display.kill()
                display.wait()
                _, said = process.communicate(timeout=FOR_S)
        finally:
            display.kill()
    assert process.returncode == 1
    assert said.decode().splitlines()[-1] == "The display is gone. What was not saved is offered at the next start."
    ((text),) = kept(settings_of_its_own)
    assert "unsaved" in text
