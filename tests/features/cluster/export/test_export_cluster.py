"""Films made on a real Dask scheduler with two workers on this machine, and what is said when there is none."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
import threading

import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.encoding import chunks
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.registry import export, request_for
from framescope.app.exporters.request import SceneSource
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access
from framescope.features.cluster.app import dask_cluster
from framescope.features.cluster.app.chunk_task import job_of
from framescope.ui.exports.options import ExportOptions
from tests.support.films import ffmpeg_frames, pillow_frames, turning

pytestmark = [pytest.mark.process, pytest.mark.soak]

distributed = pytest.importorskip("distributed", reason="not run: distributed is missing")

OPTIONS = {"size": (96, 64), "fps": 10, "start": 1.0, "stop": 3.4}


@pytest.fixture(scope="module")
def scheduler():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0", silence_logs="CRITICAL"
    ) as workers:
        yield workers


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


def test_that_a_film_made_by_two_workers_has_the_frames_of_one_made_here(scheduler, tmp_path) -> None:
    seen: list[tuple[int, int]] = []
    here = made(tmp_path / "here.mp4")
    there = made(
        tmp_path / "there.mp4",
        cluster=scheduler.scheduler_address,
        progress=lambda *done: seen.append(done),
    )
    frames, said = ffmpeg_frames(there)
    assert frames.shape == (24, 64, 96, 3)
    assert "10 fps" in said
    assert (frames == ffmpeg_frames(here)[0]).all()
    assert seen[-1] == (24, 24)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here.mp4", "there.mp4"]


def test_that_the_command_line_exports_on_a_cluster(scheduler, tmp_path) -> None:
    path = tmp_path / "clip.apng"
    arguments = ["export", "demo", str(path), "--size", "96x64", "--fps", "10", "--stop", "1"]
    result = CliRunner().invoke(app, [*arguments, "--cluster", scheduler.scheduler_address])
    assert result.exit_code == 0, result.output
    assert len(pillow_frames(path)[0]) == 10


def test_that_a_cancelled_film_leaves_nothing_here_and_frees_the_workers(scheduler, tmp_path) -> None:
    begun: list[int] = []
    with pytest.raises(ExportCancelledError):
        made(
            tmp_path / "clip.mp4",
            stop=30.0,
            cluster=scheduler.scheduler_address,
            progress=lambda done, _: begun.append(done),
            is_cancelled=lambda: any(begun),
        )
    assert list(tmp_path.iterdir()) == []
    with distributed.Client(scheduler, set_as_default=False) as client:
        assert client.submit(lambda: "free", pure=False).result(timeout=20) == "free"


def test_that_a_fault_on_a_worker_is_told_with_its_frames(scheduler, tmp_path, monkeypatch) -> None:
    right = dask_cluster.job_of
    monkeypatch.setattr(dask_cluster, "job_of", lambda *given: dataclasses.replace(right(*given), version="0.0.1"))
    with pytest.raises(ExportError, match=r"the frames 0 to 7 cannot be made: a worker has Framescope .* this is 0\.0"):
        made(tmp_path / "clip.mp4", stop=1.8, cluster=scheduler.scheduler_address)
    assert list(tmp_path.iterdir()) == []


def test_that_workers_of_another_version_are_refused_by_name(scheduler, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(dask_cluster, "version", lambda _: "99.0")
    with pytest.raises(ExportError, match=r"the worker tcp://127\.0\.0\.1:\d+ has Framescope .*, and this is 99\.0"):
        made(tmp_path / "clip.mp4", cluster=scheduler.scheduler_address)


def test_that_a_film_is_whole_and_the_same_when_a_worker_is_killed_half_way(scheduler, tmp_path) -> None:
    here, killed = made(tmp_path / "here.gif"), []

    def kill(done: int, _total: int) -> None:
        if done >= 8 and not killed:
            killed.append(next(iter(scheduler.workers.values())).pid)
            os.kill(killed[0], 9)

    there = made(tmp_path / "there.gif", cluster=scheduler.scheduler_address, progress=kill)
    assert killed
    assert (pillow_frames(there)[0] == pillow_frames(here)[0]).all()
    assert pillow_frames(there)[1] == [100] * 24


def test_that_a_scheduler_without_workers_is_told(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE_S", 0.5)
    with (
        distributed.LocalCluster(
            n_workers=0, host="127.0.0.1", dashboard_address=":0", silence_logs="CRITICAL"
        ) as empty,
        pytest.raises(ExportError, match=r"has no workers\. Start some: dask worker"),
    ):
        made(tmp_path / "clip.mp4", cluster=empty.scheduler_address)


@pytest.fixture
def own_scheduler(tmp_path_factory):
    """Give a scheduler that may be killed, as a process, and its address; it has one worker."""
    folder = tmp_path_factory.mktemp("cluster")
    told = folder / "scheduler.json"
    parts = {
        "dask_scheduler": ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0", "--no-show"],
        "dask_worker": ["--nthreads", "1", "--no-nanny", "--no-dashboard"],
    }
    with contextlib.ExitStack() as running:
        processes = []
        for name, options in parts.items():
            command = [sys.executable, "-P", "-m", f"distributed.cli.{name}", "--scheduler-file", str(told), *options]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
            running.enter_context(process)
            running.callback(process.kill)
            processes.append(process)
        while not (told.exists() and told.read_text().endswith("}")):
            assert processes[0].poll() is None
            threading.Event().wait(0.02)
        yield processes[0], json.loads(told.read_text())["address"]


def test_that_a_scheduler_that_dies_is_one_sentence(own_scheduler, tmp_path, monkeypatch, capfd) -> None:
    process, address = own_scheduler
    monkeypatch.setattr(dask_cluster, "PATIENCE_S", 60.0)

    def kill(_done: int, _total: int) -> None:
        process.kill()
        process.wait()

    with pytest.raises(ExportError) as raised:
        made(tmp_path / "clip.mp4", stop=30.0, cluster=address, progress=kill)
    said = f"cluster: the scheduler at {address} was lost. Nothing is written; start it and export again."
    assert str(raised.value) == said
    assert capfd.readouterr().err == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
        ("nonsense", '"nonsense" is no address to connect to'),
        ("tls://127.0.0.1:9", "needs certificates"),
        ("gopher://127.0.0.1:9", "is no address to connect to"),
    ],
)
def test_that_an_address_where_there_is_nothing_is_told_soon_and_leaves_no_file(
    tmp_path, monkeypatch, address, message
) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE_S", 0.5)
    result = CliRunner().invoke(app, ["export", "demo", str(tmp_path / "clip.mp4"), "--cluster", address])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == []


def test_that_a_missing_extra_is_told(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = CliRunner().invoke(app, ["export", "demo", str(tmp_path / "clip.mp4"), "--cluster", "tcp://127.0.0.1:9"])
    assert result.exit_code == 2
    assert "run.py add cluster" in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == []


def test_that_a_worker_draws_its_chunk_by_itself(tmp_path) -> None:
    request = request_for(*turning(), tmp_path / "film.mp4", ExportOptions())
    assert job_of(request, chunks.Film(())).options.jobs == 1


def test_that_what_is_no_film_takes_no_cluster(tmp_path) -> None:
    result = CliRunner().invoke(app, ["export", "demo", str(tmp_path / "walk.csv"), "--cluster", "tcp://127.0.0.1:9"])
    assert result.exit_code == 2
    assert "cluster: a table takes no cluster" in result.output
