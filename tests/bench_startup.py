"""Start-up: to the first rendered frame against the imports that it cannot do without, and help against a bare typer.

Every figure is the median of fresh processes, ours and the peers' taking turns, with bytecode as every start after
the first has it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from tests.bench_run import Row, row

REPEATS = 5
BOUND = 1.5
"""DESIGN's bound: at most this many times the peer."""

FIRST_FRAME = """
import sys, time
start = time.perf_counter()
from PySide6.QtCore import QTimer
from framescope.app import startup
from framescope.app.scenes import find_scene
app = startup.make_application()
wiring = startup.make_window(find_scene("demo"))
def drawn():
    print(time.perf_counter() - start)
    QTimer.singleShot(0, wiring.window.close)  # not while it paints
wiring.window.scene_view.first_frame.connect(drawn)
wiring.window.show()
app.exec()
assert "matplotlib" not in sys.modules, "matplotlib was imported"
"""

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


def seconds_of(script: str, *, whole_process: bool = False, arguments: tuple[str, ...] = ()) -> float:
    """Return what a script prints, or the time of its whole process, in a fresh interpreter."""
    import time

    with tempfile.TemporaryDirectory() as home:
        environ = os.environ | {"QT_API": "pyside6", "XDG_CONFIG_HOME": home}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else ours is compiled anew each time, and what pip installed not
        start = time.perf_counter()
        command = [sys.executable, "-c", script, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, env=environ, check=True, timeout=60)
        elapsed = time.perf_counter() - start
    return elapsed if whole_process else float(result.stdout.split()[-1])


def run() -> list[Row]:
    """Measure."""
    modules = ("PySide6.QtWidgets", "pyqtgraph", "pyvista")
    ours, sums, help_ours, help_bare = [], [], [], []
    from framescope.app.cli import app

    n_commands = len(app.registered_commands)
    commands = "\n".join(f"@app.command()\ndef c{i}(): 'A command.'" for i in range(n_commands))
    seconds_of(FIRST_FRAME)  # writes the bytecode
    for _ in range(REPEATS):
        ours.append(seconds_of(FIRST_FRAME))
        sums.append(sum(seconds_of(IMPORT.format(module=module)) for module in modules))
        help_ours.append(seconds_of(OUR_HELP, whole_process=True))
        bare = BARE_TYPER.format(commands=commands)
        help_bare.append(seconds_of(bare, whole_process=True, arguments=("--help",)))
    median = statistics.median
    peer = f"{BOUND} × importing PySide6, pyqtgraph and pyvista's core"
    return [
        row("start to first frame", median(ours), "s", peer, BOUND * median(sums)),
        row(
            "framescope --help",
            median(help_ours),
            "s",
            f"{BOUND} × a bare typer application",
            BOUND * median(help_bare),
        ),
    ]
