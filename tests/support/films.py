"""Films read back by foreign readers, ffmpeg and Pillow, and the pictures that they should show."""

from __future__ import annotations

import re
import subprocess

import imageio_ffmpeg
import numpy as np
import yaml
from PIL import Image

from framescope.app.exporters.layouts import scale_of
from framescope.app.exporters.registry import request_for, write
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.ui.exports.options import ExportOptions

TURNING = """\
framescope: 1
time: {end: 10 s}
frames:
  top: {parent: world, orientation: {form: axis, axis: z, angle: "2*t", unit: rad}}
"""


def turning() -> tuple[Scene, Plan]:
    """Return a frame that turns, and its plan: the cheapest to draw, for what is so of any scene that moves."""
    scene = Scene.model_validate(yaml.safe_load(TURNING))
    return scene, compile_plan(scene)


def picture_of(scene, plan, t: float, size: tuple[int, int], theme, **options) -> np.ndarray:
    """Return the picture of a moment, drawn twice as wide and high and halved, which smooths it."""
    width, height = size
    scale = 2 * scale_of(size)
    drawn = drawn_picture(plan, t, (2 * width, 2 * height), theme, samples=0, scale=scale, **options)
    return drawn.reshape(height, 2, width, 2, -1).astype(int).mean(axis=(1, 3))


def write_picture(scene, plan, path, *, time: float | None = None, **options) -> None:
    """Write a picture of a moment, s."""
    write(request_for(scene, plan, path, ExportOptions(moment=time, **options), is_still=True))


def pillow_frames(path) -> tuple[np.ndarray, list[float], int]:
    """Return the frames (n, h, w, 4) of an animated picture, how long each is shown, ms, and how often it plays."""
    frames, durations = [], []
    with Image.open(path) as picture:
        for i in range(picture.n_frames):
            picture.seek(i)
            frames.append(np.asarray(picture.convert("RGBA")))
            durations.append(picture.info["duration"])
        return np.stack(frames), durations, picture.info["loop"]


def ffmpeg_frames(path, *, with_alpha: bool = False) -> tuple[np.ndarray, str]:
    """Return the frames of a video, and what ffmpeg says of it."""
    kind, depth = ("rgba", 4) if with_alpha else ("rgb24", 3)
    decoder = ["-c:v", "libvpx-vp9"] if with_alpha else []
    command = [imageio_ffmpeg.get_ffmpeg_exe(), *decoder, "-i", str(path), "-f", "rawvideo", "-pix_fmt", kind, "-"]
    result = subprocess.run(command, capture_output=True, check=True)
    said = result.stderr.decode()
    width, height = map(int, re.search(r"Video: (?:vp9|h264).* (\d+)x(\d+)", said).groups())
    return np.frombuffer(result.stdout, np.uint8).reshape(-1, height, width, depth), said


def ffmpeg_times(path) -> list[int]:
    """Return when each frame of a video is shown, in ticks of its clock, in order, and check that none is longer."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-c", "copy", "-f", "framecrc", "-"]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    return sorted(int(line.split(",")[2]) for line in lines if not line.startswith("#"))
