"""Processes that the program starts: none runs a file of the current folder that is named like a module of Python."""

from __future__ import annotations

import ast
import importlib.metadata
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from framescope.app import platforms
from framescope.app.background import child_processes
from framescope.app.background.plan_source import PlanSource
from framescope.app.background.worker_client import SHARED, WorkerTask
from framescope.app.controllers import restart
from framescope.app.export_service.client import ExportProcess
from framescope.app.export_service.tasks import ExportJob
from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.request import SceneSource, checked_request
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.system.file_access import Access
from framescope.features.cluster.app import chunk_task, dask_cluster
from framescope.features.cluster.app.chunk_task import make_chunk
from framescope.ui.exports.options import ExportOptions
from tests.support.films import ffmpeg_frames
from tests.support.grown_scenes import PLATE
from tests.support.scenes import GOOD, scene_of
from tests.support.whole_window import from_menu, wait_for
from tests.tools.test_run import ROOT, run

pytestmark = [pytest.mark.process, pytest.mark.soak]

FOR_MS = 60_000
ITSELF = {"framescope"}
"""What ``python -m framescope.app`` asks for by name; a file of that name is what was asked for."""


@pytest.fixture(scope="module")
def traps(tmp_path_factory) -> tuple[Path, Path]:
    """Give a folder with a trap for each module that there is, and the file in which each leaves its name."""
    folder = tmp_path_factory.mktemp("traps")
    log = folder.with_name("sprung")
    names = set(sys.stdlib_module_names) | set(importlib.metadata.packages_distributions()) | ITSELF
    for name in names - set(sys.builtin_module_names) - {"__main__"}:
        if name.isidentifier():
            trap = f"open({str(log)!r}, 'a').write({name!r} + ' ')\nraise RuntimeError('a trap: ' + {name!r})\n"
            (folder / f"{name}.py").write_text(trap)
    return folder, log


@pytest.fixture
def sprung(traps, monkeypatch) -> Callable[[], list[str]]:
    """Go to the folder of traps, and give what returns the names of the modules that were imported."""
    folder, log = traps
    log.write_text("")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", "")  # and not None: an empty entry stands for the current folder
    return lambda: log.read_text().split()


def test_that_a_trap_is_sprung_by_an_interpreter_that_is_started_as_usual(sprung) -> None:
    subprocess.run([sys.executable, "-m", "json.tool", "--help"], capture_output=True, check=False)
    assert sprung()


def test_that_an_export_of_the_window_runs_nothing_of_the_current_folder(sprung, qtbot, tmp_path) -> None:
    process = ExportProcess(PlanSource(scene_of(GOOD), Access()))
    with qtbot.waitSignal(process.ended, timeout=FOR_MS) as ended:
        process.write(ExportJob(process.plan, tmp_path / "a.mp4", ExportOptions(size=(96, 64), fps=10, stop=0.5)))
    assert ended.args[0].state == "done", ended.args[0].why
    assert len(ffmpeg_frames(tmp_path / "a.mp4")[0]) == 5
    assert not sprung()


def test_that_a_task_runs_nothing_of_the_current_folder(sprung) -> None:
    SHARED.close()
    (job,) = compile_plan(scene_of(PLATE), run=lambda _job: None).pending
    assert WorkerTask(SimulationJob.run, job).result(lambda _said: None).n_steps > 0
    SHARED.close()
    assert not sprung()


def test_that_a_chunk_of_a_worker_runs_nothing_of_the_current_folder(sprung, tmp_path) -> None:
    scene = scene_of(GOOD)
    options = ExportOptions(size=(96, 64), fps=10.0, stop=0.5)
    request = checked_request(
        scene,
        compile_plan(scene),
        tmp_path / "a.mp4",
        formats_by_suffix()[".mp4"],
        options,
        source=SceneSource("a.yaml", GOOD),
    )
    job = pickle.dumps(chunk_task.job_of(request, Film((), "mp4")))
    chunk = WorkerTask(make_chunk, job, 0, 5, pool=dask_cluster.CHUNK_POOL).result(lambda _done: None)
    (tmp_path / "a.mp4").write_bytes(chunk)
    assert len(ffmpeg_frames(tmp_path / "a.mp4")[0]) == 5
    dask_cluster.CHUNK_POOL.close()
    assert not sprung()


def test_that_a_new_start_runs_nothing_of_the_current_folder(sprung, open_window, tmp_path, monkeypatch) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    wiring, commands = open_window(path), []

    def start(command, environment) -> None:
        commands.append(command)
        Path(environment[restart.VARIABLE]).unlink()

    monkeypatch.setattr(restart, "start_process", start)
    from_menu(wiring, "Window", "Size of everything", "Larger")
    wait_for(lambda: bool(commands))
    (command,) = commands
    done = subprocess.run([*command, "check", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not sprung()


def test_that_python_m_runs_nothing_of_the_current_folder(sprung) -> None:
    (Path.cwd() / "framescope.py").rename("framescope")
    command = [sys.executable, "-m", "framescope.app", "check", "demo"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (Path.cwd() / "framescope").rename("framescope.py")
    assert done.returncode == 0, done.stderr
    assert not sprung()


def test_that_run_py_runs_nothing_of_the_current_folder(sprung, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(run, "VENV", tmp_path / ".venv")
    commands = []
    monkeypatch.setattr(run, "follow", lambda command, *_: commands.append(command))
    monkeypatch.setattr(run, "run_quietly", lambda command, _environ: commands.append(command))
    monkeypatch.setattr(run, "make_venv", lambda _host: None)
    run.set_up_environment(is_dev=False, host=platforms.this_host())
    assert len(commands) == 2
    for command in commands:
        assert command[1:4] == ["-P", "-m", "pip"]
    job = run.plan(["--", "check", "demo"], platforms.this_host())
    done = subprocess.run([sys.executable, *job.arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not sprung()


def test_that_run_py_runs_what_sets_up_in_the_checkout(sprung) -> None:
    run.run_quietly([sys.executable, "-m", "json.tool", "--help"], {})
    assert not sprung()


def test_that_a_child_has_a_folder_of_its_own(sprung) -> None:
    folder = Path(child_processes.child_folder())
    assert list(folder.iterdir()) == []
    assert folder.stat().st_mode & 0o077 == 0 or folder.parent.stat().st_mode & 0o077 == 0
    assert not sprung()


def test_that_every_interpreter_is_started_by_the_one_function() -> None:
    """Who needs another one takes `child_processes.start_child` or `child_command`."""
    may = {
        # optional_packages.py names it in a message, and starts nothing.
        "sys.executable": {"app/platforms.py", "core/system/optional_packages.py", "run.py"},
        "QProcess": {"app/controllers/restart.py"},
        "subprocess.Popen": {
            "app/background/child_processes.py",
            "app/background/death_watch.py",
            "app/platforms.py",
            "run.py",
        },
        "subprocess.run": {"app/cli/extras_commands.py", "run.py"},
        "os.execvp": {"app/background/child_guard.py"},
    }
    other = r"from subprocess|multiprocessing|ProcessPoolExecutor|subprocess\.(call|check\w*|get\w*)"
    never = re.compile(rf"\b({other}|os\.(system|popen|spawn\w*|posix_spawn\w*|exec(?!ve|vp)\w*|fork\w*))\b")
    words = re.compile("|".join([*map(re.escape, may), never.pattern]))
    sources = [path for folder in ("app", "core", "features", "ui") for path in (ROOT / folder).rglob("*.py")]
    for path in [*sources, ROOT / "run.py"]:
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        code = ast.unparse(ast.parse(text)) if words.search(text) else ""  # without comments
        for word, files in may.items():
            assert name in files or word not in code, f"{name} uses {word}"
        assert not never.search(code), f"{name} starts a process in another way"
