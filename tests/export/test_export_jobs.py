"""Films drawn by several processes: the same files, progress, giving up, and processes that are lost."""

from __future__ import annotations

import errno
import itertools
import os
import pickle
import signal
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from framescope.app.background import worker_client
from framescope.app.cli.main import app
from framescope.app.exporters.encoding import chunk_encoders, chunks, frame_processes
from framescope.app.exporters.encoding.ffmpeg import Encoder
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.films import video
from framescope.app.exporters.registry import export, request_for
from framescope.app.exporters.request import SceneSource
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.ui.exports.options import ExportOptions

pytestmark = pytest.mark.process

OPTIONS = {"size": (96, 64), "fps": 10, "start": 1.0, "stop": 3.0}
CHUNK = 8
"""Frames of a chunk here: a film of three chunks."""


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", CHUNK)


def made(path, **options):
    scene_path = example_path("recorded-camera")  # it names a file
    loaded = load_scene(scene_path)
    plan = compile_plan(loaded.scene, scene_path.parent)
    source = SceneSource(scene_path.name, loaded.text, Access(scene_path.parent))
    export(loaded.scene, plan, path, source=source, **OPTIONS | options)
    return path


@pytest.fixture(scope="module")
def drawn_alone(tmp_path_factory) -> bytes:
    """Return the film that one process draws."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK", CHUNK)
        return made(tmp_path_factory.mktemp("alone") / "one.mp4", jobs=1).read_bytes()


@pytest.mark.parametrize("suffix", [".mp4", pytest.param(".gif", marks=pytest.mark.soak)])
def test_that_a_film_is_the_same_file_however_many_draw_it(suffix, tmp_path) -> None:
    seen: list[tuple[int, int]] = []
    alone = made(tmp_path / f"one{suffix}", jobs=1).read_bytes()
    two = made(tmp_path / f"two{suffix}", jobs=2, progress=lambda *done: seen.append(done))
    assert two.read_bytes() == alone
    assert seen == sorted(seen), "progress goes one way"
    assert seen[-1] == (20, 20)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"one{suffix}", f"two{suffix}"]
    assert frame_processes.MESA_THREADS not in os.environ


def test_that_giving_up_ends_all_and_leaves_nothing(tmp_path) -> None:
    asked = iter(range(100))
    with pytest.raises(ExportCancelledError):
        made(tmp_path / "film.mp4", jobs=2, is_cancelled=lambda: next(asked) > 2)
    assert list(tmp_path.iterdir()) == []


def losing(monkeypatch, most: int) -> list[int]:
    """Have processes killed when they have drawn a frame, so many in all; return their numbers."""
    killed: list[int] = []
    result = frame_processes.WorkerTask.result

    def result_of(task, report):
        def tell(done) -> None:
            report(done)
            if len(killed) < most and task.process_id not in killed:
                killed.append(task.process_id)
                os.kill(task.process_id, signal.SIGKILL)

        return result(task, tell)

    monkeypatch.setattr(frame_processes.WorkerTask, "result", result_of)
    return killed


def test_that_frames_of_a_process_that_is_lost_are_drawn_by_another(tmp_path, drawn_alone, monkeypatch) -> None:
    killed = losing(monkeypatch, 1)
    assert made(tmp_path / "two.mp4", jobs=2).read_bytes() == drawn_alone
    assert len(killed) == 1


def test_that_a_film_is_given_up_when_processes_are_lost_again_and_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(frame_processes, "MAX_LOSSES", 1)
    killed = losing(monkeypatch, 100)
    with pytest.raises(ExportError, match=r"cannot be drawn: its process ended with status -9.*fewer jobs"):
        made(tmp_path / "film.mp4", jobs=2)
    assert len(killed) > frame_processes.MAX_LOSSES
    assert list(tmp_path.iterdir()) == []


def refusing(monkeypatch, n_started: int) -> list[int]:
    """Have the system refuse to start more processes than so many; return a list with an entry for each refusal."""
    refused: list[int] = []
    start = worker_client.start_child

    def start_child(module, log, variables):
        if next(begun) >= n_started:
            refused.append(1)
            raise OSError(errno.ENOMEM, "Cannot allocate memory")
        return start(module, log, variables)

    begun = itertools.count()
    monkeypatch.setattr(worker_client, "start_child", start_child)
    return refused


def test_that_processes_that_cannot_be_started_cost_time_alone(tmp_path, drawn_alone, monkeypatch) -> None:
    refused = refusing(monkeypatch, 1)
    assert made(tmp_path / "many.mp4", jobs=5).read_bytes() == drawn_alone
    assert refused != []


def test_that_a_film_without_any_process_is_given_up(tmp_path, monkeypatch) -> None:
    refusing(monkeypatch, 0)
    with pytest.raises(ExportError, match=r"cannot be drawn: no process could be started: Cannot allocate memory"):
        made(tmp_path / "film.mp4", jobs=3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.soak
def test_that_a_disk_that_is_full_is_no_process_that_is_lost(tmp_path, monkeypatch) -> None:
    def full(*_arguments) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(chunk_encoders.ChunkEncoders, "take", full)
    with pytest.raises(ExportError, match="No space left on device") as raised:
        made(tmp_path / "film.mp4", jobs=2)
    assert "process" not in str(raised.value)


@pytest.mark.soak
def test_that_a_chunk_that_fails_at_its_end_ends_all_soon(tmp_path, monkeypatch) -> None:
    def failing(encoder) -> None:
        raise ExportError("the first chunk is none")

    monkeypatch.setattr(Encoder, "finish", failing)
    done: list[int] = []
    with pytest.raises(ExportError, match="the first chunk is none"):
        made(tmp_path / "film.mp4", jobs=2, stop=9.0, progress=lambda n, _total: done.append(n))
    assert max(done, default=0) < 60, "of 80 frames"


def test_that_a_film_that_is_given_up_does_not_wait_for_encoders(tmp_path, monkeypatch) -> None:
    """One that is ending does so when it is killed, which is what it waits for here."""
    is_given_up, is_ending = threading.Event(), threading.Event()
    give_up = Encoder.give_up

    def ending(_encoder) -> None:
        is_ending.set()
        assert is_given_up.wait(20.0)

    def given_up(encoder) -> None:
        is_given_up.set()
        give_up(encoder)

    monkeypatch.setattr(Encoder, "finish", ending)
    monkeypatch.setattr(Encoder, "give_up", given_up)
    begun = time.monotonic()
    with pytest.raises(ExportCancelledError):
        made(tmp_path / "film.mp4", jobs=2, is_cancelled=is_ending.is_set)
    assert time.monotonic() - begun < 15.0
    assert list(tmp_path.iterdir()) == []


def test_that_a_file_that_changes_meanwhile_is_told(tmp_path, monkeypatch) -> None:
    right = frame_processes.frame_job_of

    def job_of(request):
        job = right(request)
        ((name, ((time, size),)),) = job.files
        return replace(job, files=((name, ((time - 1, size),)),))

    monkeypatch.setattr(frame_processes, "frame_job_of", job_of)
    with pytest.raises(ExportError, match=r"cannot be drawn: .* has changed since the export has begun. Export again"):
        made(tmp_path / "film.mp4", jobs=2)
    assert list(tmp_path.iterdir()) == []


def test_that_a_scene_that_was_never_saved_is_drawn_by_several(tmp_path) -> None:
    turn = {"form": "axis", "axis": "z", "angle": "t", "unit": "rad"}
    scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": turn}}})
    films = [tmp_path / f"{jobs}.mp4" for jobs in (1, 2)]
    for jobs, path in enumerate(films, 1):
        export(scene, compile_plan(scene), path, **OPTIONS, jobs=jobs)
    assert films[0].read_bytes() == films[1].read_bytes()


def test_that_what_is_simulated_is_handed_on(tmp_path) -> None:
    path = example_path("three-springs")
    plan = compile_plan(load_scene(path).scene, path.parent)
    request = request_for(plan.scene, plan, tmp_path / "film.mp4", ExportOptions(**OPTIONS))
    source = pickle.loads(frame_processes.frame_job_of(request).plan)
    assert [job for job, _ in source.simulations] == [job for job, _ in plan.simulations] != []


def test_that_an_encoder_that_fails_ends_all(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(video, "H264", (*video.H264, "-x264-params", "no-such-thing=1:", "-profile:v", "none"))
    with pytest.raises(ExportError, match="the encoder failed"):
        made(tmp_path / "film.mp4", jobs=2)
    assert list(tmp_path.iterdir()) == []


def test_that_numbered_pictures_are_the_same_and_go_on(tmp_path, monkeypatch) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    made(one / "%02d.png", jobs=1)
    seen: list[tuple[int, int]] = []
    made(two / "%02d.png", jobs=1, stop=2.0)
    made(two / "%02d.png", jobs=2, progress=lambda *done: seen.append(done))
    assert seen[0] == (10, 20)
    assert seen[-1] == (20, 20)
    names = sorted(path.name for path in one.glob("*.png"))
    assert names == sorted(path.name for path in two.glob("*.png"))
    assert len(names) == 20
    for name in names:
        assert (two / name).read_bytes() == (one / name).read_bytes()


def test_that_pieces_are_taken_by_turns_and_none_is_left_out() -> None:
    runs = [range(9), range(9, 18), range(18, 20)]
    pieces = [*frame_processes.in_pieces(runs, 2)]
    assert sorted(i for piece in pieces for i in piece) == [*range(20)]
    assert [piece[0] for piece in pieces[:4]] == [0, 9, 4, 13]
    assert max(map(len, pieces)) == frame_processes.PIECE


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "1.5", "1000"])
def test_that_a_wrong_number_is_refused(jobs, tmp_path) -> None:
    result = CliRunner().invoke(app, ["export", "demo", str(tmp_path / "film.mp4"), "--jobs", jobs])
    assert result.exit_code == 2
    assert "--jobs" in result.output


def test_that_a_cluster_has_its_own_number(tmp_path) -> None:
    with pytest.raises(ExportError, match="jobs: the workers of a cluster draw"):
        made(tmp_path / "film.mp4", jobs=2, cluster="tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    ("n_cores", "free", "n_frames", "film", "row"),
    [
        *((1, 10**11, 6000, 1, 1), (2, 10**11, 6000, 1, 2), (2, 10**11, 60, 1, 1), (4, 10**11, 600, 2, 4)),
        *((8, 10**11, 6000, 4, 8), (8, 10**11, 60, 1, 5), (8, 10**11, 1, 1, 1), (8, 1, 6000, 1, 1)),
        (64, 2 * 10**9, 6000, 4, 4),
    ],
)
def test_that_cores_memory_and_length_say_how_many(n_cores, free, n_frames, film, row, monkeypatch) -> None:
    monkeypatch.setattr(frame_processes, "cores", lambda: n_cores)
    monkeypatch.setattr(frame_processes, "free_memory", lambda: free)
    monkeypatch.setattr(frame_processes, "used_memory", lambda: 0)
    request = SimpleNamespace(size=(1280, 720), options=SimpleNamespace(jobs=None, film=None))
    found = [frame_processes.jobs_of(request, n_frames, cost) for cost in (frame_processes.FILM, frame_processes.ROW)]
    assert found == [film, row]
    request.options.jobs = 5
    assert frame_processes.jobs_of(request, n_frames) == min(5, -(-n_frames // 4)), "who says so gets as many"


def test_that_a_process_with_much_in_memory_counts_for_more(monkeypatch) -> None:
    monkeypatch.setattr(frame_processes, "cores", lambda: 8)
    monkeypatch.setattr(frame_processes, "free_memory", lambda: 8 * 10**9)
    request = SimpleNamespace(size=(1280, 720), options=SimpleNamespace(jobs=None, film=None))
    found = []
    for used in (0, 3 * 10**9, 9 * 10**9):
        monkeypatch.setattr(frame_processes, "used_memory", lambda n=used: n)
        found.append(frame_processes.jobs_of(request, 6000))
    assert found == [4, 2, 1]
