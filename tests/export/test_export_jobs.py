"""Films drawn by several processes: the same files, progress, giving up, and processes that are lost."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.encoding import chunks, film_processes
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.registry import export
from framescope.app.exporters.request import SceneSource
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access

pytestmark = pytest.mark.process

OPTIONS = {"size": (96, 64), "fps": 10, "start": 1.0, "stop": 3.0}


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 8)


def made(path, **options):
    scene_path = example_path("recorded-camera")  # it names a file
    loaded = load_scene(scene_path)
    plan = compile_plan(loaded.scene, scene_path.parent)
    source = SceneSource(scene_path.name, loaded.text, Access(scene_path.parent))
    export(loaded.scene, plan, path, source=source, **OPTIONS | options)
    return path


@pytest.mark.parametrize("suffix", [".mp4", pytest.param(".gif", marks=pytest.mark.soak)])
def test_that_a_film_is_the_same_file_however_many_draw_it(suffix, tmp_path) -> None:
    seen: list[tuple[int, int]] = []
    alone = made(tmp_path / f"one{suffix}", jobs=1).read_bytes()
    two = made(tmp_path / f"two{suffix}", jobs=2, progress=lambda *done: seen.append(done))
    assert two.read_bytes() == alone
    assert seen == sorted(seen), "progress goes one way"
    assert seen[-1] == (20, 20)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"one{suffix}", f"two{suffix}"]
    assert film_processes.MESA_THREADS not in os.environ


def test_that_giving_up_ends_all_and_leaves_nothing(tmp_path) -> None:
    asked = iter(range(100))
    with pytest.raises(ExportCancelledError):
        made(tmp_path / "film.mp4", jobs=2, is_cancelled=lambda: next(asked) > 2)
    assert list(tmp_path.iterdir()) == []


def test_that_a_process_that_is_lost_is_told(tmp_path, monkeypatch) -> None:
    killed: list[int] = []
    result = film_processes.WorkerTask.result

    def result_of(task, report):
        def tell(done) -> None:
            if not killed:
                killed.append(task.process_id)
                os.kill(task.process_id, signal.SIGKILL)
            report(done)

        return result(task, tell)

    monkeypatch.setattr(film_processes.WorkerTask, "result", result_of)
    with pytest.raises(ExportError, match=r"the frames \d+ to \d+ cannot be made: its process ended with status -9"):
        made(tmp_path / "film.mp4", jobs=2)
    assert killed
    assert list(tmp_path.iterdir()) == []


def test_that_a_process_that_refuses_says_why(tmp_path, monkeypatch) -> None:
    right = film_processes.job_of
    monkeypatch.setattr(film_processes, "job_of", lambda *given: replace(right(*given), version="0.0.1"))
    with pytest.raises(ExportError, match=r"cannot be made: a worker has Framescope .*, and this is 0\.0\.1"):
        made(tmp_path / "film.mp4", jobs=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "1.5", "1000"])
def test_that_a_wrong_number_is_refused(jobs, tmp_path) -> None:
    result = CliRunner().invoke(app, ["export", "demo", str(tmp_path / "film.mp4"), "--jobs", jobs])
    assert result.exit_code == 2
    assert "--jobs" in result.output


def test_that_a_cluster_has_its_own_number(tmp_path) -> None:
    with pytest.raises(ExportError, match="jobs: the workers of a cluster draw"):
        made(tmp_path / "film.mp4", jobs=2, cluster="tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    ("n_cores", "free", "n_chunks", "jobs"),
    [(2, 10**11, 9, 1), (8, 10**11, 9, 4), (64, 10**11, 9, 9), (64, 2 * 10**9, 99, 4), (8, 1, 9, 1), (1, 10**11, 9, 1)],
)
def test_that_cores_memory_and_length_say_how_many(n_cores, free, n_chunks, jobs, monkeypatch) -> None:
    monkeypatch.setattr(film_processes, "cores", lambda: n_cores)
    monkeypatch.setattr(film_processes, "free_memory", lambda: free)
    request = SimpleNamespace(size=(1280, 720), options=SimpleNamespace(jobs=None))
    assert film_processes.jobs_of(request, n_chunks) == jobs
    request.options.jobs = 5
    assert film_processes.jobs_of(request, n_chunks) == min(5, n_chunks), "who says so gets as many"
