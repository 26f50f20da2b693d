"""The one way in which frames of films are drawn: asked before each, counted after each, for every format."""

from __future__ import annotations

from dataclasses import replace

import pytest

from framescope.app.exporters.encoding import chunks
from framescope.app.exporters.registry import export, request_for, write
from framescope.app.exporters.rendering.headless import FrameRenderer
from framescope.ui.exports.options import ExportOptions
from tests.support.films import turning

pytestmark = pytest.mark.process

N_FRAMES = 20
OPTIONS = {"size": (96, 64), "fps": 10, "start": 0.0, "stop": 2.0, "jobs": 1}


@pytest.fixture
def events(monkeypatch) -> list[str | int]:
    """Give the list of what an export does: "asks" whether it is cancelled, "draws", and the number that is done."""
    events: list[str | int] = []
    draw = FrameRenderer.frame

    def drawn(renderer: FrameRenderer, t: float):
        events.append("draws")
        return draw(renderer, t)

    monkeypatch.setattr(FrameRenderer, "frame", drawn)
    monkeypatch.setattr(chunks, "CHUNK", 8)
    return events


@pytest.mark.parametrize("name", ["c.mp4", "c.webm", "c.gif", "c.apng", "f/%d.png"])
def test_that_each_frame_of_each_format_is_asked_for_and_counted(tmp_path, events, name) -> None:
    def ask() -> bool:
        events.append("asks")
        return False

    export(*turning(), tmp_path / name, progress=lambda done, _n: events.append(done), is_cancelled=ask, **OPTIONS)
    before_frames = [events[i - 1] for i, event in enumerate(events) if event == "draws"]
    assert set(before_frames) == {"asks"}
    assert [event for event in events if isinstance(event, int)] == [*range(1, N_FRAMES + 1)]
    n_palette = 16 if name.endswith("gif") else 0  # of which no user hears
    assert len(before_frames) == N_FRAMES + n_palette
    assert "draws" not in events[events.index(N_FRAMES) :]


def test_that_a_picture_is_drawn_once_and_counts_nothing(tmp_path, events) -> None:
    scene, plan = turning()
    request = request_for(scene, plan, tmp_path / "a.png", ExportOptions(size=(96, 64)), is_still=True)
    write(replace(request, progress=lambda done, _n: events.append(done)))
    assert events == ["draws"]


def test_that_progress_goes_on_after_the_frames_of_another_part(tmp_path) -> None:
    seen: list[tuple[int, int]] = []
    scene, plan = turning()
    request = request_for(
        *(scene, plan, tmp_path / "a.mp4", ExportOptions(**OPTIONS)), progress=lambda *done: seen.append(done)
    )
    request.with_progress_after(5, 25).progress(3, N_FRAMES)
    assert seen == [(8, 25)]
