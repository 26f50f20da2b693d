"""Commands align, ape, rpe and traj: numbers, files, statuses and messages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.core.scene import save_scene
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.features.trajectories.core.stream_reading import read_stream
from framescope.features.trajectories.core.trajectory_writing import tum_text
from tests.support import plain_trajectories as plain
from tests.support import trajectory_files
from tests.support.pose_streams import Plant, planted

pytestmark = [pytest.mark.window, pytest.mark.usefixtures("qapp")]


def run(*words: str):
    return CliRunner().invoke(app, list(words))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trajectories")
    trajectory_files.write_files(folder)
    return folder


@pytest.fixture(autouse=True)
def _in_folder(folder, monkeypatch) -> None:
    monkeypatch.chdir(folder)


def matrices(name: str):
    stream = read_stream(name)
    return plain.matrices(stream.p_RF, stream.q_RF)


def test_that_ape_prints_the_statistics_of_the_definition() -> None:
    result = run("ape", "truth.txt", "slam.txt", "odometry.txt", "-a", "-s", "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    for estimate in data["estimates"]:
        X, Y = matrices("truth.txt"), matrices(estimate["name"])
        errors = plain.plain_ape(X, plain.aligned(X, Y, align=True, correct_scale=True), "trans_part")
        assert estimate["errors"] == pytest.approx(errors.tolist(), abs=1e-9)
        assert estimate["statistics"] == pytest.approx(plain.plain_statistics(errors), abs=1e-9, rel=1e-9)
    assert data["title"] == "APE of translation, m; aligned by points, with scale"


def test_that_rpe_has_evos_steps_and_seconds() -> None:
    result = run("rpe", "truth.txt", "slam.txt", "-r", "angle_deg", "-d", "1", "-u", "m", "--json")
    X, Y = matrices("truth.txt"), matrices("slam.txt")
    expected = plain.plain_rpe(X, Y, "angle_deg", plain.plain_steps(Y, 1.0, "m"))
    assert json.loads(result.stdout)["estimates"][0]["errors"] == pytest.approx(expected.tolist(), abs=1e-9)
    assert "steps of 2 s, all pairs" in run("rpe", "truth.txt", "slam.txt", "-d", "2", "-u", "s", "--all_pairs").stdout


def test_that_errors_paths_and_figures_are_written(tmp_path) -> None:
    table, path, figure = tmp_path / "e.csv", tmp_path / "aligned.tum", tmp_path / "e.pdf"
    result = run(
        "ape", "truth.txt", "slam.txt", "--align", "--save_results", str(table), "--save_aligned", str(path),
        "--plot", str(figure),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    columns = np.genfromtxt(table, delimiter=",", names=True)
    assert len(columns) == 120
    again = json.loads(run("ape", "truth.txt", str(path), "--json").stdout)["estimates"][0]
    assert again["errors"] == pytest.approx(columns["error_m"].tolist(), abs=1e-8)
    content = figure.read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/FontFile2") >= 1


def test_that_several_estimates_get_a_table_of_errors_each(tmp_path) -> None:
    run("ape", "truth.txt", "slam.txt", "odometry.txt", "--save_results", str(tmp_path / "e.csv"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e-2.csv", "e.csv"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ape", "truth.txt", "missing.txt"), "no file missing.txt"),
        (("ape", "truth.txt", "slam.txt", "--align", "--align_origin"), "expected one of --align"),
        (("ape", "truth.txt", "slam.txt", "-r", "point_distance_error_ratio"), "no ratio of distances"),
        (("ape", "truth.txt", "slam.txt", "--t_offset", "500"), "do not overlap"),
        (("ape", "truth.txt", "slam.txt", "--save_results", "slam.txt"), "is not written: it is read here"),
        (("ape", "truth.txt", "slam.txt", "--save_results", "e.xlsx"), "errors are written as"),
        (("ape", "truth.txt", "slam.txt", "--plot", "e.png"), "written as .pdf or .svg"),
        (("ape", "truth.txt", "slam.txt", "odometry.txt", "--save_aligned", "x.tum"), "writes one estimate"),
        (("rpe", "truth.txt", "slam.txt", "-d", "1e9", "-u", "m"), "no step of 1e+09 m"),
        (("rpe", "truth.txt", "slam.txt", "-d", "0"), "above 0"),
        (("traj", "slam.txt", "--align"), "needs a reference"),
        (("traj", "slam.txt", "--save_as", "bag"), "expected tum or kitti"),
        (("align", "imu.txt", "camera.txt", "--as", "kalibrr"), 'Did you mean "kalibr"'),
        (("align", "imu.txt", "camera.txt", "--code", "cobol"), "there is no cobol. Use one of: numpy"),
        (("align", "imu.txt", "hand.txt"), "equally many"),
        (("align", "imu.txt", "truth.txt"), ""),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, tuple) else "",
)
def test_that_faults_are_said_in_words_with_status_2(words, message) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert "Traceback" not in result.output


def test_that_align_finds_the_mounting_and_says_it() -> None:
    made = planted(Plant(5, n=300, offset=0.12))
    result = run("align", "imu.txt", "camera.txt", "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    off = np.abs(np.array(data["body"]["position"]) - made.p_X)
    assert (off < 4.0 * np.array(data["standard_errors"]["body position"])).all()
    assert abs(data["clock"]["offset_s"] - 0.12) < 1e-3
    assert run("align", "imu.txt", "camera.txt").stdout.startswith("camera is mounted on imu ")


def test_that_an_open_direction_ends_with_status_3(tmp_path) -> None:
    made = planted(Plant(6, kind="one axis", n=200))
    for name, stream in (("a", made.a), ("b", made.b)):
        (tmp_path / f"{name}.txt").write_text(tum_text(stream), encoding="utf-8")
    result = run("align", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert result.exit_code == 3
    assert "turns about one axis only" in result.stdout


@pytest.mark.parametrize("dialect", ["kalibr", "euroc", "orb-slam", "vins", "transforms", "easy_handeye", "opencv"])
def test_that_the_mounting_reads_back_from_each_dialect(tmp_path, dialect) -> None:
    from framescope.features.calibrations.app.calibration_reader import source_of
    from framescope.features.calibrations.core.dialects.registry import dialect_of

    result = run("align", "imu.txt", "camera.txt", "--as", dialect)
    assert result.exit_code == 0, result.output
    path = tmp_path / "rig.yaml"
    path.write_text(result.stdout, encoding="utf-8")
    source = source_of(path)
    (edge,) = dialect_of(source.data).read(source).edges
    found = json.loads(run("align", "imu.txt", "camera.txt", "--json").stdout)["body"]["matrix"]
    expected = np.array(found)
    matrix = edge.X_PC.to_matrix()
    inverse = edge.X_PC.inverse().to_matrix()
    assert min(np.abs(matrix - expected).max(), np.abs(inverse - expected).max()) < 1e-9


@pytest.mark.parametrize(
    "target", ["numpy", "scipy", "tf2", "eigen", "matlab", "urdf", "sdf", "launch", "static-transform"]
)
def test_that_the_mounting_is_printed_as_code(target) -> None:
    result = run("align", "imu.txt", "camera.txt", "--code", target)
    assert result.exit_code == 0, result.output
    assert "camera" in result.stdout


def test_that_hand_and_eye_give_the_camera_in_the_hand() -> None:
    result = run("align", "hand.txt", "target.txt", "--form", "eye-in-hand")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("camera is mounted on hand ")


def test_that_the_mounting_goes_into_a_scene_whose_comments_stay(tmp_path) -> None:
    path = tmp_path / "rig.yaml"
    path.write_text("framescope: 1\n# a rig\nframes:\n  imu: {parent: world}  # the body\n", encoding="utf-8")
    assert run("align", "imu.txt", "camera.txt", "--into", str(path)).exit_code == 0
    loaded = load_scene(path)
    assert loaded.scene.frames["camera"].parent == "imu"
    assert "# the body" in loaded.text
    made = planted(Plant(5, n=300, offset=0.12))
    assert np.abs(np.array(loaded.scene.frames["camera"].position.value) - made.p_X).max() < 5e-3


def test_that_an_open_mounting_changes_no_scene(tmp_path) -> None:
    made = planted(Plant(6, kind="one axis", n=200))
    for name, stream in (("a", made.a), ("b", made.b)):
        (tmp_path / f"{name}.txt").write_text(tum_text(stream), encoding="utf-8")
    path = tmp_path / "rig.yaml"
    save_scene(Scene(), path)
    result = run("align", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--into", str(path))
    assert result.exit_code == 2
    assert load_scene(path).scene == Scene()


def test_that_aligned_poses_and_the_figure_are_written(tmp_path) -> None:
    path, figure = tmp_path / "out.tum", tmp_path / "out.svg"
    assert run("align", "imu.txt", "camera.txt", "--save", str(path), "--plot", str(figure)).exit_code == 0
    result = run("ape", "imu.txt", str(path), "--t_max_diff", "0.02", "--sync_method", "interpolation", "--json")
    assert json.loads(result.stdout)["estimates"][0]["statistics"]["median"] < 0.02
    assert figure.read_text(encoding="utf-8").startswith("<?xml")


def test_that_traj_lists_and_converts(tmp_path, monkeypatch) -> None:
    listed = json.loads(run("traj", "truth.txt", "slam.txt", "--json").stdout)
    assert [each["poses"] for each in listed] == [120, 120]
    names = {name: str(Path(name).resolve()) for name in ("truth.txt", "slam.txt")}
    monkeypatch.chdir(tmp_path)
    assert run("traj", names["slam.txt"], "--ref", names["truth.txt"], "--align", "--save_as", "kitti").exit_code == 0
    assert len((tmp_path / "slam.kitti").read_text(encoding="utf-8").splitlines()) == 120


def test_that_no_trajectory_and_no_second_table_replaces_a_file_that_is_read(folder, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {name: (folder / name).read_bytes() for name in ("truth.txt", "slam.txt")}
    (tmp_path / "a.tum").write_bytes(texts["truth.txt"])
    (tmp_path / "e-2.csv").write_bytes(texts["slam.txt"])
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_bytes(texts["slam.txt"])
    for words in (
        ("traj", "a.tum", "--save_as", "tum"),
        ("traj", "sub/a.txt", "--ref", "a.tum", "--save_as", "tum"),
        ("ape", "a.tum", "sub/a.txt", "e-2.csv", "--format", "tum", "--save_results", "e.csv"),
    ):
        result = run(*words)
        assert result.exit_code == 2, words
        assert "Choose another name" in result.output, words
    assert (tmp_path / "a.tum").read_bytes() == texts["truth.txt"]
    assert (tmp_path / "e-2.csv").read_bytes() == texts["slam.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tum", "e-2.csv", "sub"]


def test_that_calibration_and_code_are_in_the_json_too() -> None:
    data = json.loads(run("align", "imu.txt", "camera.txt", "--json", "--as", "kalibr", "--code", "scipy").stdout)
    assert "T_cam_imu" in data["calibration"]
    assert "Rotation.from_quat" in data["code"]


def test_that_a_number_of_pairs_to_align_needs_an_alignment() -> None:
    result = run("ape", "truth.txt", "slam.txt", "--n_to_align", "20")
    assert result.exit_code == 2
    assert "needs an alignment" in result.output


def test_that_a_bad_fit_is_told(tmp_path) -> None:
    made = planted(Plant(outliers=0.0, scale=3.0))
    names = [str(tmp_path / f"{stream.name}.tum") for stream in (made.a, made.b)]
    for name, stream in zip(names, (made.a, made.b), strict=True):
        Path(name).write_text(tum_text(stream), encoding="utf-8")
    assert "fit badly" not in run("align", *names).stdout
    assert "The poses fit badly" in run("align", *names, "--no-scale").stdout


def test_that_nothing_is_claimed_of_two_bodies_at_rest(tmp_path) -> None:
    random = np.random.default_rng(0)
    q = np.array([0.0, 0.0, 0.0, 1.0]) + random.normal(0.0, 1e-3, (300, 4))
    names = [str(tmp_path / name) for name in ("a.tum", "b.tum")]
    for name in names:
        p = random.normal(0.0, 2e-3, (300, 3))
        np.savetxt(name, np.column_stack([np.arange(300) / 10, p, q[random.permutation(300)]]))
    result = run("align", *names)
    assert result.exit_code == 3
    assert result.stdout.startswith("The poses say nothing about how b is mounted on a.")
    assert "does not turn and does not move" in result.stdout
    assert "Another reading" not in result.stdout


def test_that_the_ending_states_a_format_and_large_stamps_their_unit(tmp_path) -> None:
    stream = read_stream("truth.txt")
    rows = np.column_stack([1403636579.0 + stream.t, stream.p_RF, stream.q_RF])
    rows[:, 0] *= 1e9
    np.savetxt(tmp_path / "ns.tum", rows[::-1], fmt="%.9f")
    read = read_stream(tmp_path / "ns.tum")
    assert read.t - read.t[0] == pytest.approx(stream.t - stream.t[0], abs=1e-6)
    assert any("read in ns" in note for note in read.notes)
    np.savetxt(tmp_path / "one.tum", rows[:1])
    assert read_stream(tmp_path / "one.tum").t is not None
