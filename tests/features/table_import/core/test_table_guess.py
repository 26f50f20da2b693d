"""What is guessed of tables with planted conventions, and what is found odd in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope import assets
from framescope.core import frames
from framescope.core.evaluation.compile.recorded import check_columns
from framescope.core.recordings.tables.mixed import MixedTable, Names, read_mixed
from framescope.features.table_import.core.choices import (
    Choices,
    Group,
    motion_of,
    roles,
    sources,
    with_form,
    with_role,
)
from framescope.features.table_import.core.guess_columns import Guess, guess
from framescope.features.table_import.core.row_checks import check, unread_times
from tests.support.cases import for_each
from tests.support.trajectories import poses_from_table

N = 400
STEP_S = 0.005


def motion(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return position in m, quaternion xyzw and yaw, pitch, roll in rad of a moderate motion from near its parent."""
    rng = np.random.default_rng(seed)
    t = np.arange(N) * STEP_S
    waves = [rng.uniform(0.2, 0.7) * np.sin(rng.uniform(1, 6) * t + rng.uniform(0, 6)) for _ in range(6)]
    angles = np.stack([1.2 * waves[0], waves[1], waves[2]], axis=-1)
    return np.stack(waves[3:], axis=-1), frames.to_Q(frames.axes_rotations("ZYX", angles)), angles


def mixed(columns: dict[str, np.ndarray], name: str = "a.csv") -> MixedTable:
    return MixedTable(name, tuple(columns), columns, {}, len(next(iter(columns.values()))))


TIMES = {
    "s": (1.0, 0.0), "ms": (1e3, 0.0), "us": (1e6, 0.0), "ns": (1e9, 0.0),
    "s since 1970": (1.0, 1.7e9), "ms since 1970": (1e3, 1.7e12), "us since 1970": (1e6, 1.7e15),
    "ns since 1970": (1e9, 1.7e18),
}  # fmt: skip
POSITIONS = {
    "plain": ("x", "y", "z"), "p": ("px", "py", "pz"), "t": ("tx", "ty", "tz"),
    "ros": ("pose.position.x", "pose.position.y", "pose.position.z"), "long": ("pos_x", "pos_y", "pos_z"),
    "npz": ("p[0]", "p[1]", "p[2]"), "mm": ("x [mm]", "y [mm]", "z [mm]"),
}  # fmt: skip
QUATERNIONS = {
    "xyzw": ("qx", "qy", "qz", "qw"), "wxyz": ("qw", "qx", "qy", "qz"),
    "ros": tuple(f"pose.orientation.{c}" for c in "xyzw"), "under": ("q_w", "q_x", "q_y", "q_z"),
    "hamilton": ("qr", "qi", "qj", "qk"), "euroc": ("q_RS_w", "q_RS_x", "q_RS_y", "q_RS_z"),
    "q0": ("q0", "q1", "q2", "q3"),
}  # fmt: skip
FIRST = {"wxyz", "under", "hamilton", "euroc", "q0"}


@for_each("time", TIMES)
@pytest.mark.parametrize("orientation", QUATERNIONS)
@pytest.mark.parametrize("position", POSITIONS)
def test_that_named_columns_are_told_whatever_they_are_called(time, orientation, position) -> None:
    p, Q, _ = motion(len(time) + 7 * len(orientation) + 31 * len(position))
    scale, origin = TIMES[time]
    q = Q[:, [3, 0, 1, 2]] if orientation in FIRST else Q
    unit = "mm" if position == "mm" else "m"
    columns = {"stamp": np.arange(N) * STEP_S * scale + origin, "speed": np.ones(N)}
    columns |= dict(zip(POSITIONS[position], (p * (1e3 if unit == "mm" else 1.0)).T, strict=True))
    columns |= dict(zip(QUATERNIONS[orientation], q.T, strict=True))
    found = guess(mixed(columns), "a.csv").choices
    assert (found.time, found.time_unit) == ("stamp", time.split()[0])
    assert found.groups == (Group("", POSITIONS[position], QUATERNIONS[orientation]),)
    assert (found.form, found.order) == ("quaternion", "wxyz" if orientation in FIRST else "xyzw")
    assert found.position_unit == unit


def unnamed(rng: np.random.Generator, seed: int) -> tuple[MixedTable, dict[str, object]]:
    """Return a table without a header and what is planted in it."""
    p, Q, _ = motion(seed)
    unit = str(rng.choice(["s", "ms", "us", "ns"]))
    order = str(rng.choice(["xyzw", "wxyz"]))
    form = str(rng.choice(["quaternion", "matrix"]))
    is_before = bool(rng.integers(2))
    if form == "matrix":
        block = np.asarray(frames.axes_rotations("ZYX", motion(seed)[2]).T).reshape(N, 9)
    else:
        block = Q[:, [3, 0, 1, 2]] if order == "wxyz" else Q
    extra = rng.normal(size=(N, int(rng.integers(3))))
    t = np.arange(N) * STEP_S * TIMES[unit][0] + rng.uniform(0, 100)
    parts = [t[:, None], p, block, extra] if is_before else [t[:, None], block, p, extra]
    whole = np.concatenate(parts, axis=1)
    table = mixed({str(i + 1): column for i, column in enumerate(whole.T)})
    start = 5 if is_before else 2
    width = block.shape[1]
    orientation = tuple(str(i) for i in range(start, start + width))
    place = 2 if is_before else 2 + width
    position = tuple(str(i) for i in range(place, place + 3))
    said: dict[str, object] = {"time_unit": unit, "form": form, "groups": (Group("", position, orientation),)}
    return table, said | ({"order": order} if form == "quaternion" else {})


@pytest.mark.long
def test_that_tables_without_a_header_are_told_by_their_numbers() -> None:
    rng = np.random.default_rng(7)
    hits: dict[str, list[bool]] = {}
    sure: list[bool] = []
    for seed in range(200):
        table, planted = unnamed(rng, seed)
        found = guess(table, "a.csv")
        for key, value in planted.items():
            is_hit = getattr(found.choices, key) == value
            hits.setdefault(key, []).append(is_hit)
            if found.reasons[key if key in found.reasons else "form"].confidence >= 0.9:
                sure.append(is_hit)
    shares = {key: float(np.mean(values)) for key, values in hits.items()}
    assert shares["form"] >= 0.98
    assert shares["groups"] >= 0.95
    assert shares["time_unit"] >= 0.98
    assert shares["order"] >= 0.9
    assert np.mean(sure) >= 0.97  # what is said with certainty is so


@pytest.mark.parametrize(
    ("scale", "name", "unit"), [(1.0, "roll", "rad"), (180 / np.pi, "roll", "deg"), (180 / np.pi, "roll_deg", "deg")]
)
def test_that_angles_are_told_with_their_unit_and_sequence(scale, name, unit) -> None:
    _, _, angles = motion(3)
    suffix = name.removeprefix("roll")
    columns = {"t": np.arange(N) * STEP_S}
    columns |= {
        f"{turn}{suffix}": values * scale for turn, values in zip(("yaw", "pitch", "roll"), angles.T, strict=True)
    }
    found = guess(mixed(columns), "a.csv")
    assert found.choices.groups[0].orientation == (f"yaw{suffix}", f"pitch{suffix}", f"roll{suffix}")
    assert (found.choices.form, found.choices.sequence, found.choices.angle_unit) == ("axes", "ZYX", unit)


def test_that_the_real_recording_and_the_usual_formats_are_known(tmp_path) -> None:
    path = assets.path("scenes/freiburg1_xyz.txt")
    found = guess(read_mixed(path), path.name)
    assert found.choices.format == "tum"
    assert found.choices.order == "xyzw"
    _, Q, _ = motion(1)
    p = np.ones((N, 3))
    T = np.asarray(frames.axes_rotations("ZYX", motion(1)[2]).T)
    kitti = mixed({str(i + 1): c for i, c in enumerate(np.concatenate([T, p[..., None]], -1).reshape(N, 12).T)})
    assert guess(kitti, "00.txt").choices.format == "kitti"
    names = ["#timestamp [ns]", *(f"p_RS_R_{x} [m]" for x in "xyz"), *(f"q_RS_{x} []" for x in "wxyz")]
    rows = np.column_stack([np.arange(N) * 5e6 + 1.4e18, p, Q[:, [3, 0, 1, 2]]])
    euroc = guess(mixed(dict(zip(names, rows.T, strict=True))), "data.csv").choices
    assert (euroc.format, euroc.order, euroc.time_unit) == ("euroc", "wxyz", "ns")


def test_that_groups_of_columns_are_frames_of_their_own() -> None:
    columns = {"time": np.arange(N) * STEP_S}
    for i, prefix in enumerate(("imu", "head_left")):
        p, Q, _ = motion(i)
        columns |= {f"{prefix}_{c}": v for c, v in zip(("x", "y", "z"), p.T, strict=True)}
        columns |= {f"{prefix}_q{c}": v for c, v in zip("xyzw", Q.T, strict=True)}
    table = mixed(columns)
    found = guess(table, "a.csv").choices
    assert [group.name for group in found.groups] == ["imu", "head_left"]
    assert found.groups[1].orientation == ("head_left_qx", "head_left_qy", "head_left_qz", "head_left_qw")
    assert [source.label for source in sources(table, found)] == ["imu", "head_left"]


def long_table() -> MixedTable:
    p, Q, _ = motion(5)
    t = np.repeat(np.arange(N) * STEP_S, 2)
    columns = {"t": t} | {c: np.repeat(v, 2) for c, v in zip("xyz", p.T, strict=True)}
    columns |= {f"q{c}": np.repeat(v, 2) for c, v in zip("xyzw", Q.T, strict=True)}
    codes = np.tile([0, 1], N).astype(np.int32)
    names = {"child_frame_id": Names(("cam", "lidar"), codes), "frame_id": Names(("map", "cam"), codes)}
    return MixedTable(
        "tf.csv", ("t", "frame_id", "child_frame_id", *"xyz", "qx", "qy", "qz", "qw"), columns, names, 2 * N
    )


def test_that_a_column_of_names_makes_frames_with_their_parents() -> None:
    table = long_table()
    found = guess(table, "tf.csv").choices
    assert (found.names, found.parents) == ("child_frame_id", "frame_id")
    first, second = sources(table, found)
    assert [(s.label, s.parent) for s in (first, second)] == [("cam", "map"), ("lidar", "cam")]
    motion_ = motion_of(found, second, "tf.csv")
    assert motion_.rows is not None
    assert (motion_.rows.column, motion_.rows.value) == ("child_frame_id", "lidar")


def echoed(parent: str, child: str = "", *, header: bool = False) -> str:
    """Return lines as ``ros2 topic echo --csv`` prints messages with a stamp, with `header` below their names."""
    p, Q, _ = motion(8)
    names = "sec,nanosec,frame_id" + (",child_frame_id" if child else "") + ",x,y,z,qx,qy,qz,qw\n"
    rows = (
        ",".join([str(1_739_700_000 + n // 200), str(n % 200 * 5_000_000), parent, *filter(None, [child])])
        + "".join(f",{value:.9f}" for value in (*p[n], *Q[n]))
        for n in range(N)
    )
    return (names if header else "") + "\n".join(rows) + "\n"


@pytest.mark.parametrize("header", [False, True])
def test_that_the_frame_id_of_a_message_is_the_parent_and_never_the_moving_frame(header, tmp_path) -> None:
    path = tmp_path / "robot.csv"
    path.write_text(echoed("map", header=header))
    table = read_mixed(path)
    found = guess(table, "robot.csv").choices
    (source,) = sources(table, found)
    assert (source.label, source.value, source.parent) == ("", None, "map")
    assert found.names is None
    assert found.form == "quaternion"


@pytest.mark.parametrize("header", [False, True])
def test_that_the_second_name_of_a_message_is_the_moving_frame(header, tmp_path) -> None:
    path = tmp_path / "odometry.csv"
    path.write_text(echoed("odom", "base_link", header=header))
    table = read_mixed(path)
    (source,) = sources(table, guess(table, "odometry.csv").choices)
    assert (source.label, source.value, source.parent) == ("base_link", "base_link", "odom")


def test_that_several_names_without_a_stamp_are_moving_frames(tmp_path) -> None:
    path = tmp_path / "trackers.csv"
    rows = (f"{n / 100},{'ab'[n % 2]},{np.sin(n / 9):.6f},0,1" for n in range(100))
    path.write_text("t,frame_id,x,y,z\n" + "\n".join(rows) + "\n")
    table = read_mixed(path)
    assert [source.label for source in sources(table, guess(table, "trackers.csv").choices)] == ["a", "b"]


def test_that_names_that_speak_of_extrinsics_turn_the_pose_round() -> None:
    columns = (
        {"t": np.arange(9.0) / 50} | {c: np.zeros(9) for c in ("x", "y", "z", "qx", "qy", "qz")} | {"qw": np.ones(9)}
    )
    assert guess(mixed(columns), "world_to_camera.csv").choices.pose == "parent in frame"
    assert guess(mixed(columns), "walk.csv").choices.pose == "frame in parent"


@pytest.mark.parametrize(("is_position_before", "certainty"), [(False, "open"), (True, "assumed")])
def test_that_one_of_several_threes_beside_a_quaternion_is_a_position_only_if_said(
    is_position_before, certainty
) -> None:
    (p, q, _), t = motion(4), STEP_S * np.arange(N)
    rates, forces = (np.cos(t[:, None] + np.arange(3.0) + k) for k in (0.0, 1.0))
    blocks = [t[:, None], *([p] if is_position_before else []), q, rates, forces]
    numbers = np.concatenate(blocks, axis=1)
    found = guess(mixed({str(i): column for i, column in enumerate(numbers.T, 1)}), "log.csv")
    assert len(found.choices.groups[0].orientation) == 4
    assert found.reasons["position"].certainty == certainty


def test_that_what_nothing_tells_is_said_to_be_doubtful() -> None:
    rng = np.random.default_rng(0)
    q = rng.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    columns = {"1": np.arange(50) * 0.02} | {str(i + 2): c for i, c in enumerate(q.T)}
    found = guess(mixed(columns), "a.csv")
    assert found.reasons["order"].is_doubtful
    assert found.choices.groups[0].orientation == ("2", "3", "4", "5")


@pytest.mark.parametrize(
    "columns", [{"a": np.zeros(9)}, {"1": np.full(9, np.nan), "2": np.arange(9.0)}, {"t": np.zeros(1)}]
)
def test_that_tables_without_poses_are_guessed_without_a_fault(columns) -> None:
    table = mixed(columns)
    found = guess(table, "a.csv")
    (source,) = sources(table, found.choices)
    assert not check(table, found.choices, source).is_usable
    with pytest.raises(ValueError, match="chosen"):
        motion_of(found.choices, source, "a.csv")


# --- What does not fit


def plain(n: int = 60) -> dict[str, np.ndarray]:
    angle = np.arange(n) * 0.02
    zero = np.zeros(n)
    return {
        "t": np.arange(n) * 0.02, "x": angle, "y": zero.copy(), "z": zero.copy(),
        "qx": np.sin(angle / 2), "qy": zero.copy(), "qz": zero.copy(), "qw": np.cos(angle / 2),
    }  # fmt: skip


def odd(change) -> dict[str, tuple[str, tuple[int, ...]]]:
    columns = plain()
    change(columns)
    table = mixed(columns)
    choices = replace(guess(mixed(plain()), "a.csv").choices, time="t", format="table")
    (source,) = sources(table, choices)
    return {problem.kind: (problem.severity, problem.rows) for problem in check(table, choices, source).problems}


def flip(columns) -> None:
    for name in ("qx", "qy", "qz", "qw"):
        columns[name][30:] *= -1.0


def test_that_each_oddity_is_found_with_its_rows() -> None:
    assert odd(lambda c: None) == {}
    assert odd(lambda c: c["x"].__setitem__(4, np.nan)) == {"missing": ("red", (5,))}
    assert odd(lambda c: c["qw"].__setitem__(9, 1.2))["norm"] == ("red", (10,))
    assert odd(lambda c: c["t"].__setitem__(20, c["t"][19]))["doubled"] == ("note", (21,))
    assert odd(lambda c: c["t"].__setitem__(slice(30, None), c["t"][30:] - 0.5))["backwards"] == ("red", (31,))
    assert odd(lambda c: c["t"].__setitem__(slice(30, None), c["t"][30:] + 0.5))["gap"] == ("amber", (30,))
    assert odd(flip) == {"sign": ("note", (31,))}
    assert odd(lambda c: c["x"].__setitem__(slice(40, None), c["x"][40:] + 3.0)) == {"jump": ("amber", (41,))}


def test_that_a_bandwidth_beyond_the_samples_and_times_as_text_are_said() -> None:
    table = mixed(plain())
    choices = replace(guess(table, "a.csv").choices, bandwidth_hz=30.0)
    (problem,) = check(table, choices, sources(table, choices)[0]).problems
    assert (problem.kind, problem.severity, problem.where) == ("bandwidth", "red", "bandwidth_hz")
    dated = MixedTable(
        "a.csv", ("date time", "x"), {"x": np.zeros(2)}, {"date time": Names(("a",), np.zeros(2, np.int32))}, 2
    )
    (said,) = unread_times(dated, Choices())
    assert '"date time"' in said.message
    assert said.severity == "red"
    assert unread_times(dated, Choices(is_rate_chosen=True)) == ()


# --- Roles


def test_that_a_role_moves_from_column_to_column() -> None:
    choices = guess(mixed(plain()), "a.csv").choices
    choices = with_role(choices, "x", "y")
    assert choices.groups[0].position == (None, "x", "z")
    assert "x is missing" in choices.groups[0].missing()
    choices = with_role(with_role(choices, "y", "x"), "t", "")
    assert choices.time is None
    assert choices.groups[0].missing() == ""
    assert with_form(choices, "axes").groups[0].orientation == (None, None, None)
    assert roles(with_form(choices, "matrix")) == {"y": ("x", 0), "x": ("y", 0), "z": ("z", 0)}


def test_that_a_guess_reads_back_the_poses_that_were_planted() -> None:
    p, Q, _ = motion(2)
    columns = {"ms": np.arange(N) * 5.0} | dict(zip(("x_mm", "y_mm", "z_mm"), 1e3 * p.T, strict=True))
    columns |= dict(zip(("qw", "qx", "qy", "qz"), Q[:, [3, 0, 1, 2]].T, strict=True))
    table = mixed(columns)
    found: Guess = guess(table, "a.csv")
    form = motion_of(found.choices, sources(table, found.choices)[0], "a.csv")
    assert form.columns is not None
    check_columns(form.columns, ())
    recording, _ = poses_from_table(table.table(form.columns.names), form.columns)
    np.testing.assert_allclose(recording.p_PF, p, atol=1e-12)
    np.testing.assert_allclose(np.abs((recording.Q_PF * Q).sum(axis=1)), 1.0, atol=1e-12)
    np.testing.assert_allclose(recording.t, np.arange(N) * STEP_S, atol=1e-12)
