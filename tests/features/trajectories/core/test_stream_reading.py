"""Pose streams from files of each kind, and errors in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope import assets
from framescope.core.errors import FramescopeError
from framescope.features.trajectories.core.pose_stream import StreamError
from framescope.features.trajectories.core.stream_reading import StreamChoice, read_stream, split_name

N = 50
T = 0.1 * np.arange(N)
P = np.stack([T, 0.0 * T, 0.5 * T], axis=1)
TUM = np.column_stack([T + 1.7e9, P, np.tile([0.0, 0.0, 0.0, 1.0], (N, 1))])
BAG = Path(assets.path("scenes")) / "bags" / "clock-behind.bag"


def write(path: Path, rows: np.ndarray, fmt: str = "%.9f", header: str = "") -> Path:
    np.savetxt(path, rows, fmt=fmt, header=header)
    return path


def test_that_tum_is_read_with_all_digits_of_its_stamps(tmp_path) -> None:
    stream = read_stream(write(tmp_path / "a.txt", TUM))
    assert stream.epoch_ns == 1_700_000_000_000_000_000
    assert np.abs(stream.t - T).max() < 3e-7  # the rows above are rounded to float64
    assert np.abs(stream.p_RF - P).max() < 1e-9


@pytest.mark.parametrize("name", ["auto", "tum"])
def test_that_rows_without_a_number_and_repeated_times_are_left_out_and_said(tmp_path, name) -> None:
    rows = TUM.copy()
    rows[5, 2] = np.nan
    rows[10, 0] = rows[9, 0]
    stream = read_stream(write(tmp_path / "a.txt", rows), StreamChoice(format=name))
    assert len(stream) == N - 2
    assert len(stream.notes) == 2


def test_that_kitti_has_no_times_without_a_rate(tmp_path) -> None:
    rows = np.concatenate([np.tile(np.eye(3), (N, 1, 1)), P[:, :, None]], axis=2).reshape(N, 12)
    path = write(tmp_path / "k.txt", rows)
    assert read_stream(path).t is None
    assert np.abs(read_stream(path, StreamChoice(format="kitti", rate_hz=10.0)).t - T).max() < 1e-12
    times = write(tmp_path / "times.txt", 2.0 * T[:, None])
    assert np.abs(read_stream(path, StreamChoice(format="kitti", times=times)).t - 2.0 * T).max() < 1e-9


def test_that_euroc_is_read_with_the_scalar_first(tmp_path) -> None:
    head = "timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []"
    lines = [f"{1403636579763555584 + 5_000_000 * i},{i},0,0,0.8,0,0,0.6" for i in range(40)]
    path = tmp_path / "data.csv"
    path.write_text("#" + head + "\n" + "\n".join(lines), encoding="utf-8")
    for name in ("auto", "euroc"):
        stream = read_stream(path, StreamChoice(format=name))
        assert stream.epoch_ns == 1403636579763555584
        assert stream.q_RF[0].tolist() == [0.0, 0.0, 0.6, 0.8]
        assert abs(stream.t[1] - 0.005) < 1e-12


def test_that_one_of_several_frames_of_a_table_is_named(tmp_path) -> None:
    lines = [f"{0.1 * i},{name},{i},0,0,0,0,0,1" for i in range(40) for name in ("cam", "imu")]
    path = tmp_path / "many.csv"
    path.write_text("t,name,x,y,z,qx,qy,qz,qw\n" + "\n".join(lines), encoding="utf-8")
    assert len(read_stream(f"{path}#imu")) == 40
    with pytest.raises(StreamError, match=r"2 streams: cam, imu\. Name one after a #"):
        read_stream(path)
    with pytest.raises(StreamError, match='Did you mean "cam"'):
        read_stream(f"{path}#camm")


def test_that_one_row_and_a_file_with_a_hash_in_its_name_are_read(tmp_path) -> None:
    assert len(read_stream(write(tmp_path / "one.txt", TUM[:1]))) == 1
    path = write(tmp_path / "a#b.txt", TUM)
    assert split_name(path) == (path, "")
    assert len(read_stream(path)) == N


@pytest.mark.parametrize("name", ["base_link", "base_link in odom", "/tf:odom.base_link"])
def test_that_transforms_of_a_bag_are_named_as_they_are_or_as_evo_does(name) -> None:
    stream = read_stream(f"{BAG}#{name}")
    assert (stream.frame, stream.reference, len(stream)) == ("base_link", "odom", 120)


def test_that_a_frame_of_a_bag_is_read_in_one_that_is_not_its_parent() -> None:
    direct, through = read_stream(f"{BAG}#base_link in odom"), read_stream(f"{BAG}#base_link in map")
    assert through.reference == "map"
    assert 0 < len(through) <= len(direct)


def test_that_a_frame_of_a_scene_is_read_at_its_samples() -> None:
    path = Path(assets.path("scenes")) / "recorded-camera.yaml"
    assert len(read_stream(f"{path}#calm")) > 100
    with pytest.raises(StreamError, match="no frame nothing"):
        read_stream(f"{path}#nothing")


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "is empty"), ("a b c\n1 2 3\n4 5 6\n", "no columns that look like poses"), ("{", "x.txt")],
)
def test_that_a_file_without_poses_says_so(tmp_path, text, words) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FramescopeError, match=words):
        read_stream(path)


def test_that_a_missing_file_is_named() -> None:
    with pytest.raises(StreamError, match="no file missing"):
        read_stream("missing-file.txt")
