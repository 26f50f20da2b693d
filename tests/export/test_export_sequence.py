"""A row of pictures: what is in it, and that it goes on where it was left."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from PIL import Image

from framescope.app.exporters.errors import ExportCancelledError
from framescope.app.exporters.films import png_sequence
from framescope.app.exporters.registry import export
from framescope.core.evaluation.evaluate import compile_plan
from framescope.ui.theme.tokens import DARK
from tests.support.films import picture_of, turning

pytestmark = pytest.mark.window

OPTIONS = {"size": (160, 90), "fps": 10, "start": 1.0, "stop": 1.6}
NAMES = [f"{i:04d}.png" for i in range(6)]


def turning_scene(**changes):
    scene = turning()[0].model_copy(update={"title": "A turn"} | changes)
    return scene, compile_plan(scene)


def digests(folder) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("[!.]*"))}


def pixels(path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture)


def interrupted(folder, after: int) -> None:
    answers = iter([*[False] * after, True])
    with pytest.raises(ExportCancelledError):
        export(*turning_scene(), f"{folder}/", is_cancelled=lambda: next(answers), **OPTIONS)


def test_that_a_folder_takes_numbered_pictures_that_are_the_pictures_of_their_times(tmp_path) -> None:
    export(*turning_scene(), f"{tmp_path}/frames/", **OPTIONS)
    assert [*digests(tmp_path / "frames")] == NAMES
    for i in (0, 4):
        frame, one = pixels(tmp_path / "frames" / NAMES[i]), picture_of(*turning_scene(), 1.0 + i / 10, (160, 90), DARK)
        assert frame.shape == one.shape
        assert np.abs(frame.astype(int) - one).mean() < 1.0


def test_that_a_pattern_names_the_pictures_and_transparency_is_kept(tmp_path) -> None:
    export(*turning_scene(), tmp_path / "demo-%d.png", **OPTIONS | {"stop": 1.2, "transparent": True})
    assert [*digests(tmp_path)] == ["demo-0.png", "demo-1.png"]
    alpha = pixels(tmp_path / "demo-1.png")[..., 3]
    assert (alpha == 0).mean() > 0.5
    assert alpha.max() == 255


def test_that_an_interrupted_row_goes_on_and_is_the_same_as_one_in_one_go(tmp_path) -> None:
    folder, whole = tmp_path / "frames", tmp_path / "whole"
    interrupted(folder, 3)
    assert [*digests(folder)] == NAMES[:3]
    times = {name: (folder / name).stat().st_mtime_ns for name in NAMES[:3]}
    seen = []
    export(*turning_scene(), f"{folder}/", progress=lambda *done: seen.append(done), **OPTIONS)
    assert seen == [(done, 6) for done in range(3, 7)]
    assert {name: (folder / name).stat().st_mtime_ns for name in NAMES[:3]} == times
    export(*turning_scene(), f"{whole}/", **OPTIONS)
    assert digests(folder) == digests(whole)


def test_that_a_broken_picture_is_drawn_again(tmp_path) -> None:
    export(*turning_scene(), tmp_path, **OPTIONS)
    before = digests(tmp_path)
    (tmp_path / "0002.png").write_bytes((tmp_path / "0002.png").read_bytes()[:500])
    (tmp_path / "0004.png").unlink()
    seen = []
    export(*turning_scene(), tmp_path, progress=lambda *done: seen.append(done), **OPTIONS)
    assert seen == [(4, 6), (5, 6), (6, 6)]
    assert digests(tmp_path) == before


@pytest.mark.parametrize("change", [{"theme": "light"}, {"size": (128, 72)}, {"start": 1.1}, {"bare": True}])
def test_that_other_options_draw_all_again(tmp_path, change) -> None:
    export(*turning_scene(), tmp_path, **OPTIONS)
    before, seen = digests(tmp_path), []
    export(*turning_scene(), tmp_path, progress=lambda *done: seen.append(done), **OPTIONS | change)
    assert seen[0][0] == 1
    assert not set(before.values()) & set(digests(tmp_path).values()) or change == {"start": 1.1}


@pytest.mark.parametrize("change", [{"bounce": True}, {"camera": "turntable"}, {"angle_unit": "rad"}])
def test_that_options_of_the_view_draw_all_again(tmp_path, change) -> None:
    export(*turning_scene(), tmp_path, **OPTIONS)
    seen: list[tuple[int, int]] = []
    export(*turning_scene(), tmp_path, progress=lambda *done: seen.append(done), **OPTIONS | change)
    assert seen[0][0] == 1


def test_that_pictures_of_another_renderer_are_drawn_again(tmp_path, monkeypatch) -> None:
    export(*turning_scene(), tmp_path, **OPTIONS)
    monkeypatch.setattr(png_sequence, "renderer_name", lambda: "another")
    seen: list[tuple[int, int]] = []
    export(*turning_scene(), tmp_path, progress=lambda *done: seen.append(done), **OPTIONS)
    assert seen[0] == (1, 6)


def test_that_another_scene_draws_all_again(tmp_path) -> None:
    export(*turning_scene(), tmp_path, **OPTIONS)
    before = digests(tmp_path)
    export(*turning_scene(title="Another title"), tmp_path, **OPTIONS)
    assert not set(before.values()) & set(digests(tmp_path).values())


def test_that_pictures_beyond_the_end_of_a_shorter_row_go_and_those_of_others_stay(tmp_path) -> None:
    export(*turning_scene(), tmp_path, **OPTIONS)
    (tmp_path / "0005.png").write_bytes(b"somebody's own")
    (tmp_path / "notes.txt").write_text("mine")
    export(*turning_scene(), tmp_path, **OPTIONS | {"stop": 1.3})
    assert [*digests(tmp_path)] == [*NAMES[:3], "0005.png", "notes.txt"]


def test_that_a_journal_that_cannot_be_read_is_no_obstacle(tmp_path) -> None:
    export(*turning_scene(), tmp_path, **OPTIONS)
    before = digests(tmp_path)
    journal = next(tmp_path.glob(".*.journal"))
    for text in ("", "x\n[1]\n", "\x00\xff"):
        journal.write_text(text, encoding="utf-8")
        export(*turning_scene(), tmp_path, **OPTIONS)
        assert digests(tmp_path) == before


def test_that_a_row_cancelled_before_its_first_picture_leaves_no_folder(tmp_path) -> None:
    interrupted(tmp_path / "frames", 0)
    assert list(tmp_path.iterdir()) == []
