"""Tables and bundles read back by csv, numpy, pyarrow and zipfile."""

from __future__ import annotations

import csv
import hashlib
import shutil
import zipfile

import numpy as np
import pyarrow.parquet
import pytest

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.registry import export
from framescope.app.exporters.request import SceneSource
from framescope.app.exporters.scene_zip import bundled_names
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access

RANGE = {"fps": 10, "start": 1.0, "stop": 3.0}


def demo():
    path = example_path("demo")
    scene = load_scene(path).scene
    return scene, compile_plan(scene, path.parent)


def opened(path, *, allow_all: bool = False):
    loaded = load_scene(path)
    access = Access(path.resolve().parent, allow_all=allow_all)
    return loaded.scene, compile_plan(loaded.scene, access=access), SceneSource(path.name, loaded.text, access)


def read(path) -> dict[str, np.ndarray]:
    """Return the columns of a wide table, by a foreign reader."""
    if path.suffix == ".npz":
        with np.load(path) as table:
            return dict(zip(table["columns"].tolist(), table["values"].T, strict=True))
    if path.suffix == ".parquet":
        return {name: np.array(values) for name, values in pyarrow.parquet.read_table(path).to_pydict().items()}
    with path.open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names, np.array(rows, dtype=float).T, strict=True))


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".parquet"])
def test_that_a_wide_table_has_the_poses_velocities_and_sensors_of_all_frames(tmp_path, suffix) -> None:
    scene, plan = demo()
    path = tmp_path / f"walk{suffix}"
    export(scene, plan, path, **RANGE)
    table = read(path)
    times = 1.0 + np.arange(21) / 10
    np.testing.assert_array_equal(table["t [s]"], times)
    assert len(table) == 1 + len(scene.frames) * 13 + 6
    snapshot = evaluate(plan, times)
    i = plan.index["camera"]
    for k, axis in enumerate("xyz"):
        name = f"velocity of camera relative to world resolved in world in m/s: {axis}"
        np.testing.assert_array_equal(table[name], snapshot.v_WF[:, i, k])
        name = f"position of camera relative to world resolved in world in m: {axis}"
        np.testing.assert_array_equal(table[name], relative_position(snapshot, "camera", "world", "world")[:, k])
        speed = table[f"sensor of speed: v_{axis} [m/s] of camera, resolved in world"]
        np.testing.assert_allclose(speed, snapshot.v_WF[:, i, k], atol=1e-12)
    q = np.stack([table[f"quaternion of camera relative to world: {axis}"] for axis in "xyzw"])
    x, y, z, w = q
    np.testing.assert_allclose(2.0 * (x * y + z * w), snapshot.R_WF[:, i, 1, 0], atol=1e-12)
    np.testing.assert_allclose((q**2).sum(axis=0), 1.0, atol=1e-12)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_that_a_long_table_has_the_numbers_of_the_wide_one_with_their_units(tmp_path, suffix) -> None:
    export(*demo(), tmp_path / "wide.npz", **RANGE)
    path = tmp_path / f"long{suffix}"
    export(*demo(), path, long=True, **RANGE)
    if suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = pyarrow.parquet.read_table(path).to_pylist()
    assert list(rows[0]) == ["t [s]", "signal", "component", "unit", "value"]
    wide = read(tmp_path / "wide.npz")
    times = wide.pop("t [s]")
    np.testing.assert_array_equal([float(row["value"]) for row in rows], np.concatenate(list(wide.values())))
    np.testing.assert_array_equal([float(row["t [s]"]) for row in rows], np.tile(times, len(wide)))
    named = {(row["signal"], row["component"], row["unit"]) for row in rows}
    assert len(named) == len(wide)
    assert ("velocity of camera relative to world resolved in world", "z", "m/s") in named
    assert ("quaternion of camera relative to world", "w", "1") in named
    assert ("sensor of gyro", "w_y of inner ring, resolved in inner ring", "rad/s") in named


def test_that_a_scene_without_frames_has_no_table(tmp_path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("framescope: 1\ntime: {end: 1 s}\n")
    scene, plan, _ = opened(path)
    with pytest.raises(ExportError, match="neither frames nor sensors"):
        export(scene, plan, tmp_path / "walk.csv")
    assert [item.name for item in tmp_path.iterdir()] == ["empty.yaml"]


def test_that_a_bundle_opens_on_another_path_with_the_same_poses(tmp_path) -> None:
    scene, plan, source = opened(example_path("recorded-camera"))
    path = tmp_path / "walk.zip"
    export(scene, plan, path, source=source)
    with zipfile.ZipFile(path) as bundle:
        assert bundle.testzip() is None
        assert bundle.namelist() == ["recorded-camera.yaml", "freiburg1_xyz.txt"]
        bundle.extractall(tmp_path / "elsewhere")
    again, plan_again, _ = opened(tmp_path / "elsewhere" / "recorded-camera.yaml")
    assert again == scene
    assert [problem.severity for problem in plan_again.problems] == ["note"] * len(plan.problems)
    times = np.linspace(plan.start, plan.end, 7)
    np.testing.assert_array_equal(evaluate(plan_again, times).R_WF, evaluate(plan, times).R_WF)


def outside_scene(tmp_path, name: str = "../data/walk.txt"):
    """Return the path of a scene whose recording lies in another folder."""
    for folder in ("scene", "data"):
        (tmp_path / folder).mkdir()
    example = example_path("recorded-camera")
    path = tmp_path / "scene" / "walk.yaml"
    path.write_text("# mine\n" + example.read_text().replace("freiburg1_xyz.txt", name))
    shutil.copyfile(example.with_name("freiburg1_xyz.txt"), tmp_path / "data" / "walk.txt")
    return path


@pytest.mark.long
def test_that_files_from_elsewhere_are_bundled_with_consent_under_names_of_the_bundle(tmp_path) -> None:
    scene, plan, source = opened(outside_scene(tmp_path), allow_all=True)
    export(scene, plan, tmp_path / "walk.zip", source=source)
    with zipfile.ZipFile(tmp_path / "walk.zip") as bundle:
        assert bundle.namelist() == ["walk.yaml", "files/walk.txt"]
        assert bundle.read("walk.yaml").startswith(b"# mine\n")
        assert str(tmp_path).encode() not in bundle.read("walk.yaml")
        bundle.extractall(tmp_path / "elsewhere")
    _, again, _ = opened(tmp_path / "elsewhere" / "walk.yaml")
    assert {problem.severity for problem in again.problems} == {"note"}
    np.testing.assert_array_equal(evaluate(again, 1.0).R_WF, evaluate(plan, 1.0).R_WF)


@pytest.mark.parametrize(
    ("name", "message"), [("../data/walk.txt", "lies outside the folder"), ("missing.txt", "there is no")]
)
def test_that_a_bundle_without_consent_or_with_a_file_missing_is_refused(tmp_path, name, message) -> None:
    scene, plan, source = opened(outside_scene(tmp_path, name))
    with pytest.raises(ExportError, match=message):
        export(scene, plan, tmp_path / "walk.zip", source=source)
    assert not list(tmp_path.glob("*.zip"))


def test_that_a_scene_that_was_never_saved_is_asked_to_be() -> None:
    scene, plan, _ = opened(example_path("recorded-camera"))
    with pytest.raises(ExportError, match="Save the scene first"):
        export(scene, plan, "walk.zip")


def test_that_the_same_scene_gives_the_same_bundle(tmp_path) -> None:
    scene, plan, source = opened(example_path("recorded-camera"))
    digests = set()
    for name in ("a.zip", "b.zip"):
        export(scene, plan, tmp_path / name, source=source)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(digests) == 1


def test_that_names_in_a_bundle_never_lead_out_of_it_and_differ_in_more_than_case() -> None:
    names = ["/etc/a.csv", "../a.csv", "~/A.csv", "C:\\b.csv", "files/a.csv", "FILES/A.csv", "walk.yaml/../../c.csv"]
    found = list(bundled_names(names, "walk.yaml").values())
    assert len({name.casefold() for name in found}) == len(names)
    assert all(".." not in name and ":" not in name and "\\" not in name and name[0] not in "/~" for name in found)
