"""Scenes of bags, and the buffer of tf that has the same transforms."""

from __future__ import annotations

from pathlib import Path

from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.recordings.tf_buffer import TfBuffer
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.features.bags.core.bag_scene import Source, scene_of
from framescope.features.bags.core.kept_transforms import transforms_of
from framescope.features.bags.core.tf_log import insert_row
from framescope.features.bags.core.tf_tracks import Tracks


def scene_plan(path: Path) -> tuple[Tracks, Plan]:
    tracks = transforms_of(path).tracks("")
    scene, _ = scene_of([Source(tracks)], path.name)
    again, _ = parse_scene(scene_text(scene), "scene.yaml")
    assert again == scene
    return tracks, compile_plan(scene, path.parent)


def buffer_of(tracks: Tracks) -> TfBuffer:
    buffer = TfBuffer()
    for i in range(len(tracks.log)):
        insert_row(buffer, tracks.log, i)
    return buffer
