"""The shape of a calibrated camera: what is read, what is a problem, its sizes, and its picture beside the scene."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from framescope.core.errors import SceneError
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.frame_cameras import camera_model, camera_on
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.files.referenced_files import named_files, renamed_files
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.bodies import CameraShape
from framescope.core.system import picture_files
from framescope.core.system.picture_files import PictureFileError, load_picture, read_picture

SCENE = """\
framescope: 1
frames:
  cam0: {{parent: world}}
bodies:
  lens:
    frame: cam0
    shape: {{form: camera, resolution: {resolution}, focal_lengths: {focal}, principal_point: [9.5, 19.5],
      depth: 2 m{more}}}
"""


def text_of(resolution: str = "[40, 30]", focal: str = "[20, 15]", more: str = "") -> str:
    return SCENE.format(resolution=resolution, focal=focal, more=more)


def plan_in(folder: Path, more: str) -> Plan:
    path = folder / "scene.yaml"
    path.write_text(text_of(more=more), "utf-8")
    return compile_plan(load_scene(path).scene, folder)


def camera(**keys: Any) -> CameraShape:
    usual = {"resolution": [640, 480], "focal_lengths": [500, 510], "principal_point": [320, 240], "depth": "1 m"}
    return CameraShape.model_validate(usual | keys)


def test_that_the_edges_of_the_image_are_half_a_pixel_beyond_the_outermost_centres() -> None:
    plan = compile_plan(parse_scene(text_of())[0])
    assert not plan.problems
    (body,) = plan.view_data.bodies
    assert body.size == pytest.approx({"depth": 2.0, "left": -1.0, "right": 3.0, "top": -8 / 3, "bottom": 4 / 3})


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        (text_of(focal="[0, 15]"), "focal_lengths", "expected two numbers of more than zero."),
        (text_of(resolution="[40, -30]"), "resolution", "expected two numbers of more than zero."),
    ],
)
def test_that_numbers_that_make_no_image_are_problems(text, key, message) -> None:
    plan = compile_plan(parse_scene(text)[0])
    assert [(problem.key_path, problem.message) for problem in plan.problems] == [
        (("bodies", "lens", "shape", key), message)
    ]
    assert plan.view_data.bodies == ()
    assert camera_on(plan, "cam0") is None


@pytest.mark.parametrize(
    "wrong",
    [
        text_of(resolution="[40.5, 30]"),
        text_of(resolution="[40, 30, 3]"),
        text_of(focal="[a, b]"),
        text_of(more=", distortion: {form: fov, w: 0.9}"),
        text_of(more=", distortion: {form: radtan, k4: 0.9}"),
        text_of(more=", distortion: radtan"),
        text_of(more=", coefficients: [1, 2]"),
    ],
)
def test_that_other_keys_are_errors_of_the_scene(wrong) -> None:
    with pytest.raises(SceneError):
        parse_scene(wrong)


@pytest.mark.parametrize(
    ("distortion", "expected"),
    [
        (None, ("none", ())),
        ({"form": "radtan", "k1": 1, "p2": 2, "k3": 3}, ("radtan", (1.0, 0.0, 0.0, 2.0, 3.0))),
        ({"form": "rational", "k4": 4, "k6": 6, "p1": 1}, ("rational", (0.0, 0.0, 1.0, 0.0, 0.0, 4.0, 0.0, 6.0))),
        ({"form": "equidistant", "k4": 4}, ("equidistant", (0.0, 0.0, 0.0, 4.0))),
    ],
)
def test_that_coefficients_have_the_order_of_opencv(distortion, expected) -> None:
    model = camera_model(camera(distortion=distortion))
    assert (model.distortion, model.coefficients) == expected
    assert (model.focal_lengths, model.principal_point) == ((500.0, 510.0), (320.0, 240.0))


def test_that_a_camera_is_written_as_it_was_read() -> None:
    text = text_of(more=", distortion: {form: equidistant, k1: 0.0031, k4: -2.0e-05}, picture: seen.png")
    scene, _ = parse_scene(text)
    assert parse_scene(scene_text(scene))[0] == scene
    assert named_files(scene) == ("seen.png",)
    assert renamed_files(scene, {"seen.png": "a/b.jpg"}).bodies["lens"].shape.picture == "a/b.jpg"


# --- Pictures


def test_that_a_camera_without_its_picture_is_drawn_and_has_a_problem(tmp_path) -> None:
    for name, words in (
        ("gone.png", "there is no file"),
        ("../out.png", "lies outside"),
        ("https://example.org/a.png", "is an address"),
        ("seen.svg", "is no extension"),
    ):
        plan = plan_in(tmp_path, f", picture: {name}")
        assert [body.file for body in plan.view_data.bodies] == [None]
        (problem,) = plan.problems
        assert problem.key_path == ("bodies", "lens", "shape", "picture")
        assert words in problem.message


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "RGBA", "LA", "1", "I;16"])
def test_that_pictures_of_all_kinds_are_red_green_and_blue(tmp_path, mode) -> None:
    image = Image.new(mode, (6, 4), 40000 if mode == "I;16" else 1 if mode == "1" else None or 0)
    image.save(tmp_path / "seen.png")
    pixels = load_picture(tmp_path / "seen.png")
    assert (pixels.shape, pixels.dtype) == ((4, 6, 3), np.uint8)
    if mode == "I;16":
        assert set(pixels.ravel().tolist()) == {40000 >> 8}


def test_that_a_picture_is_read_from_the_top_and_a_large_one_is_reduced(tmp_path) -> None:
    image = Image.new("RGB", (5000, 40), "black")
    image.paste("red", (0, 0, 5000, 10))
    for suffix in ("png", "jpeg"):
        image.save(tmp_path / f"seen.{suffix}")
        pixels = load_picture(tmp_path / f"seen.{suffix}")
        assert pixels.shape[1] <= 2048
        assert pixels[0, 100, 0] > 200
        assert pixels[-1, 100, 0] < 50


def test_that_hostile_pictures_are_refused(tmp_path, monkeypatch) -> None:
    good, path = tmp_path / "good.png", tmp_path / "seen.png"
    Image.new("RGB", (30, 20), "blue").save(good)
    huge = bytearray(good.read_bytes())
    huge[16:24] = (200_000).to_bytes(4, "big") * 2  # the size in the header
    for content, words in (
        (b"", "is no PNG or JPEG picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is no PNG or JPEG picture"),
        (b"GIF89a" + bytes(100), "is no PNG or JPEG picture"),
        (bytes(huge), "pixels, more than|is no PNG|is damaged"),
        (good.read_bytes()[:60], "is damaged|cannot be read|is no PNG"),
    ):
        path.write_bytes(content)
        with pytest.raises(PictureFileError, match=words):
            read_picture(path)
    monkeypatch.setattr(picture_files, "MAX_BYTES", 50)
    with pytest.raises(PictureFileError, match="more than 50 bytes"):
        read_picture(good)
    with pytest.raises(PictureFileError, match="cannot be read"):
        read_picture(tmp_path / "gone.png")


def test_that_mutated_pictures_give_a_picture_or_one_clear_error(tmp_path) -> None:
    rng = np.random.default_rng(5)
    path = tmp_path / "seen.png"
    originals = []
    for suffix, options in (("png", {}), ("jpg", {"quality": 80}), ("jpg", {"progressive": True})):
        noise = Image.fromarray(rng.integers(0, 255, (24, 32, 3), dtype=np.uint8))
        noise.save(tmp_path / f"a.{suffix}", **options)
        originals.append((tmp_path / f"a.{suffix}").read_bytes())
    for k in range(300):
        data = bytearray(originals[k % 3])
        for _ in range(int(rng.integers(1, 12))):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        path.write_bytes(data[: int(rng.integers(len(data) // 2, len(data) + 1))])
        with contextlib.suppress(PictureFileError):
            assert max(read_picture(path).shape) <= picture_files.SHOWN_SIDE


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_that_a_link_out_of_the_folder_is_not_followed(tmp_path) -> None:
    (tmp_path / "scene").mkdir()
    Image.new("RGB", (3, 3)).save(tmp_path / "out.png")
    (tmp_path / "scene" / "seen.png").symlink_to(tmp_path / "out.png")
    plan = plan_in(tmp_path / "scene", ", picture: seen.png")
    assert [body.file for body in plan.view_data.bodies] == [None]
    assert "lies outside" in plan.problems[0].message
