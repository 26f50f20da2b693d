"""Start-up: to the first rendered frame against the imports that it cannot do without, and help against a bare typer.

Every time is the median of fresh processes, ours and the peers' taking turns, with bytecode as every start after the
first has it; the least of them is what this machine can do. The memory is that of the program on the demo, once it has
come to rest.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from tests.bench.bench_run import Row, row
from tests.support.processes import private_mb

REPEATS = 5
BOUND = 1.5
"""DESIGN's bound: at most this many times the peer."""

WHOLE_S = 1.2
"""The goal of the least time to the whole window on a machine of two cores, s."""

MEMORY_MB = 380.0
"""The goal of the memory that the program has to itself on the demo, with the processes that it has started, MB."""

RESTING_S = 15.0
"""How long the program has run when nothing is imported any more and the demo plays."""

WINDOW = """
import sys, time
start = time.perf_counter()
from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
app = startup.make_application()
from PySide6.QtCore import QTimer
opening = startup.make_opening(find_scene("demo"))
def drawn():
    print(time.perf_counter() - start)
def complete(wiring):
    app.processEvents()
    print(time.perf_counter() - start)
    print(len(sys.modules))
    QTimer.singleShot(0, wiring.window.close)  # not while it paints
opening.window.scene_view.first_frame.connect(drawn)
opening.show(complete)
app.exec()
assert "matplotlib" not in sys.modules, "matplotlib was imported"
"""
"""Prints when the first picture is drawn, when all panels stand and are filled, and how many modules that took."""

IMPORT = """
import time
start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
"""

BARE_TYPER = """
import typer
app = typer.Typer()
@app.callback(invoke_without_command=True)
def main(): "A bare application."
{commands}
app()
"""

OUR_HELP = "import sys; from framescope.app.__main__ import main; sys.argv = ['framescope', '--help']; main()"


def started(script: str, *arguments: str) -> tuple[float, list[float]]:
    """Run a script in a fresh interpreter; return how long its process took, and the seconds it prints."""
    with tempfile.TemporaryDirectory() as home:
        environ = os.environ | {"QT_API": "pyside6", "XDG_CONFIG_HOME": home}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else ours is compiled anew each time, and what pip installed not
        start = time.perf_counter()
        command = [sys.executable, "-c", script, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, env=environ, check=True, timeout=60)
        elapsed = time.perf_counter() - start
    return elapsed, [float(line) for line in result.stdout.split("\n") if line.replace(".", "", 1).isdigit()]


def resting_memory() -> float:
    """Return the private memory of the program on the demo and of all processes that it has started, MB.

    Libraries count as private, 130 MB, unless another process has mapped them too: no second window may be open.
    """
    with tempfile.TemporaryDirectory() as home:
        environ = os.environ | {"QT_API": "pyside6", "XDG_CONFIG_HOME": home}
        command = [sys.executable, "-P", "-m", "framescope.app"]
        with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(RESTING_S)
            memory = private_mb(process.pid)
            process.terminate()
            process.wait(30)
    return memory


def run() -> list[Row]:
    """Measure."""
    modules = ("PySide6.QtWidgets", "pyqtgraph", "pyvista")
    first, whole, sums, help_ours, help_bare = [], [], [], [], []
    n_modules = 0.0
    from framescope.app.cli.main import app

    n_commands = len(app.registered_commands)
    bare = BARE_TYPER.format(commands="\n".join(f"@app.command()\ndef c{i}(): 'A command.'" for i in range(n_commands)))
    started(WINDOW)  # writes the bytecode
    for _ in range(REPEATS):
        drawn, complete, n_modules = started(WINDOW)[1]
        first.append(drawn)
        whole.append(complete)
        sums.append(sum(started(IMPORT.format(module=module))[1][0] for module in modules))
        help_ours.append(started(OUR_HELP)[0])
        help_bare.append(started(bare, "--help")[0])
    median = statistics.median
    peer = f"{BOUND} × importing PySide6, pyqtgraph and pyvista's core"
    bound = BOUND * median(sums)
    typers = f"{BOUND} × a bare typer application"
    return [
        row("start to first frame", median(first), "s", peer, bound),
        row("start to the whole window", median(whole), "s"),
        row("start to the whole window, least", min(whole), "s", "goal on two idle cores", WHOLE_S),
        row("modules of the whole window", n_modules, ""),
        row("private memory of the demo at rest", resting_memory(), "MB", "goal", MEMORY_MB),
        row("framescope --help", median(help_ours), "s", typers, BOUND * median(help_bare)),
    ]
