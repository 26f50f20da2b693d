"""Any scene is the same after saving and loading, also over the text of another one; and saving is atomic."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from scene_strategies import SCENES
from whole import WHOLE

from framescope.core.scene.loading import load_scene, parse_scene
from framescope.core.scene.model import Scene
from framescope.core.scene.saving import save_scene, scene_text

SLOW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(SCENES)
def test_that_any_scene_is_saved_and_read_again(scene: Scene) -> None:
    read, _ = parse_scene(scene_text(scene))
    assert read == scene
    assert repr(read) == repr(scene)  # to the bit, and the sign of zero


@SLOW
@given(SCENES, SCENES)
def test_that_a_scene_is_saved_over_the_text_of_another(scene: Scene, before: Scene) -> None:
    assert repr(parse_scene(scene_text(scene, scene_text(before)))[0]) == repr(scene)


@SLOW
@given(SCENES)
def test_that_a_scene_is_read_from_json(scene: Scene) -> None:
    assert parse_scene(json.dumps(scene.model_dump(exclude_unset=True, mode="json")))[0] == scene


@given(SCENES)
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_that_the_bits_of_a_saved_scene_stay_when_nothing_has_changed(scene: Scene) -> None:
    text = scene_text(scene)
    assert scene_text(parse_scene(text)[0], text) == text


def test_that_comments_and_order_of_a_hand_written_file_stay() -> None:
    text = WHOLE.replace("  arm:\n", "  # The arm turns.\n  arm:  # about z first\n")
    scene, _ = parse_scene(text)
    saved = scene_text(scene.model_copy(update={"title": "Other"}), text)
    assert saved.count("# The arm turns.") == 1
    assert saved.count("# about z first") == 1
    assert [line for line in saved.splitlines() if line.startswith("title")] == ["title: Other"]
    order = [saved.index(f"\n{key}:") for key in ("time", "gravity", "frames", "points", "sensors", "view")]
    assert order == sorted(order)


CRASH = """
import os, sys
from pathlib import Path
from framescope.core.scene import saving
from framescope.core.scene.model import Scene
real = Path.replace
def dies(self, target):
    os._exit(9)
Path.replace = dies
saving.save_scene(Scene(title="new"), sys.argv[1])
"""


def test_that_a_crash_while_saving_leaves_the_old_file(tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    save_scene(Scene(title="old"), path)
    done = subprocess.run([sys.executable, "-c", CRASH, str(path)], check=False)
    assert done.returncode == 9
    assert load_scene(path).scene.title == "old"


def test_that_an_error_while_saving_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch) -> None:
    path = tmp_path / "scene.yaml"
    save_scene(Scene(title="old"), path)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save_scene(Scene(title="new"), path)
    assert load_scene(path).scene.title == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["scene.yaml"]
