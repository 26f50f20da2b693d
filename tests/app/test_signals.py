"""Signals in words, their tables, and the files they are written to."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope import assets
from framescope.app.cli.evaluate import EvaluateError, evaluate_to
from framescope.app.exporters.table import all_signals
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import describe, labels, plot_curves, sample_curves, tabulate
from framescope.core.evaluation.signal_parser import SignalTextError, parse_signal
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.recordings.tables import writing
from framescope.core.recordings.tables.mixed import read_table
from framescope.core.recordings.tables.writing import TableFileError, write_table
from framescope.core.scene.files.loading import load_scene, parse_scene
from tests.support.whole import WHOLE, write_whole

SCENE = parse_scene(WHOLE)[0]


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Plan:
    folder = tmp_path_factory.mktemp("signals")
    text = WHOLE.replace("tolerance: 1e-9", "tolerance: 1e-3")
    return compile_plan(load_scene(write_whole(folder, text)).scene, folder)


def test_that_every_plot_is_read_again_from_its_words(plan) -> None:
    for plot in plan.view_data.plots:
        assert parse_signal(describe(plot), plan.scene) == plot


def test_that_names_with_words_of_the_grammar_go_in_quotes() -> None:
    scene, _ = parse_scene('framescope: 1\nframes:\n  "a relative to b in m": {parent: world}\n')
    signal = parse_signal('position of "a relative to b in m" relative to world resolved in world in mm', scene)
    assert signal.of == "a relative to b in m"
    assert signal.factor == 1e-3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("veloctiy of tip", 'Did you mean "velocity"?'),
        ("", "is no signal"),
        ("velocity of tip relative to world in m/s", "velocity needs resolved_in"),
        ("velocity of tpi relative to world resolved in world in m/s", 'Did you mean "tip"?'),
        ("velocity of tip relative to world resolved in world in m", 'no frame "world in m"'),
        ("velocity of tip relative to world resolved in world", "unit of this velocity is missing"),
        ("energy of tip in J", "energy takes no of"),
        ("angles of tip relative to world by ZZY in deg", "no axis sequence"),
        ("quaternion of tip relative to world by ZYX", "quaternion takes no sequence"),
        ("sensor of on top", 'Did you mean "on tip"?'),
        ("position (tip)", "expected position of"),
    ],
)
def test_that_what_is_no_signal_is_told_with_its_mend(text, said) -> None:
    with pytest.raises(SignalTextError, match=None) as caught:
        parse_signal(text, SCENE)
    assert said in str(caught.value)


def test_that_a_signal_of_frames_is_what_the_snapshot_says(plan) -> None:
    times = np.linspace(0.2, 1.8, 7)
    signal = parse_signal("velocity of tip relative to world resolved in world in mm/s", plan.scene)
    np.testing.assert_allclose(
        plot_curves(plan, signal, times), 1e3 * evaluate(plan, times).v_WF[:, plan.index["tip"]], rtol=1e-12
    )


def test_that_angles_and_quaternions_run_on_without_a_jump(plan) -> None:
    times = np.linspace(0.0, 2.0, 400)
    turns = plot_curves(plan, parse_signal("angles of arm relative to base by ZYX in rad", plan.scene), times)
    np.testing.assert_allclose(turns[:, 0], 2.5 * times, atol=1e-9)  # beyond pi
    Q = plot_curves(plan, parse_signal("quaternion of arm relative to base", plan.scene), times)
    assert np.abs(np.diff(Q, axis=0)).max() < 0.01
    np.testing.assert_allclose((Q**2).sum(axis=1), 1.0, rtol=1e-12)


def test_that_rates_of_angles_by_any_sequence_are_their_derivatives_and_end_at_the_lock() -> None:
    text = """
framescope: 1
frames:
  top: {parent: world, orientation: {form: axes, sequence: XYZ, angles: ["t", "0.4*t**2", "0.3*t"], unit: rad}}
"""
    scene = parse_scene(text)[0]
    plan, times, h = compile_plan(scene), np.linspace(0.1, 3.0, 59), 1e-5

    def curves(words: str, t) -> np.ndarray:
        return plot_curves(plan, parse_signal(words, scene), t)

    for sequence in ("XYZ", "ZYX", "ZXZ", "YXY"):
        told = f"of top relative to world by {sequence}"
        rates = curves(f"angle rates {told} in rad/s", times)
        later, sooner = (curves(f"angles {told} in rad", times + d) for d in (h, -h))
        condition = curves(f"condition number {told}", times)
        is_calm = condition[:, 0] < 20.0
        assert is_calm.sum() > 20
        np.testing.assert_allclose(rates[is_calm], ((later - sooner) / (2.0 * h))[is_calm], atol=1e-6)
        s = curves(f"singularity {told}", times)
        np.testing.assert_allclose(condition, np.sqrt((1.0 + s) / (1.0 - s)), rtol=1e-6)
    lock = np.array([np.sqrt(np.pi / 0.8)])
    told = "of top relative to world by XYZ"
    assert curves(f"condition number {told}", lock)[0, 0] > 1e7
    assert curves(f"singularity {told}", lock)[0, 0] == pytest.approx(1.0)
    assert np.isnan(curves(f"angle rates {told} in rad/s", lock)).all()


def test_that_a_measurement_stands_beside_what_is_computed(plan) -> None:
    times = np.linspace(0.2, 1.8, 5)
    measured = plot_curves(plan, parse_signal("measured of gyro", plan.scene), times)
    computed = plot_curves(
        plan, parse_signal("angular velocity of arm relative to world resolved in arm in deg/s", plan.scene), times
    )
    np.testing.assert_allclose(measured[:, 2], 143.2 + times, rtol=1e-9)
    np.testing.assert_allclose(measured[:, 3:], computed, rtol=1e-12)
    outside = plot_curves(plan, parse_signal("measured of gyro", plan.scene), np.array([-1.0, 50.0]))
    assert np.isnan(outside[:, :3]).all()


def test_that_sensor_curves_are_what_the_sensor_shows_but_for_the_branch_of_angles(plan) -> None:
    times = np.linspace(0.1, 1.9, 9)
    curves = plot_curves(plan, parse_signal("sensor of on tip", plan.scene), times)
    shown = evaluate(plan, times).sensors["on tip"]
    angles = plan.instruments.sensors["on tip"].sensor.slices["angles"]
    others = np.delete(np.arange(18), np.arange(18)[angles])
    np.testing.assert_array_equal(curves[:, others], shown[:, others])
    assert curves.shape[1] == len(labels(plan, parse_signal("sensor of on tip", plan.scene)))


def test_that_a_table_is_the_same_in_every_format_and_for_foreign_readers(plan, tmp_path) -> None:
    signals = [parse_signal("energy in J", plan.scene), parse_signal("measured of gyro", plan.scene)]
    columns = tabulate(plan, signals, np.linspace(1.9, 2.6, 8))  # the measurement ends before that
    for suffix in (".csv", ".npz", ".parquet"):
        write_table(tmp_path / f"t{suffix}", columns)
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == list(columns)
    read = {name: np.array([float(row[i] or "nan") for row in rows[1:]]) for i, name in enumerate(rows[0])}
    with np.load(tmp_path / "t.npz", allow_pickle=False) as npz:
        assert npz["columns"].tolist() == list(columns)
        packed = npz["values"]
    parquet = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "t.parquet")
    assert parquet.column_names == list(columns)
    for i, (name, values) in enumerate(columns.items()):
        np.testing.assert_array_equal(read[name], values)
        np.testing.assert_array_equal(packed[:, i], values)
        np.testing.assert_array_equal(parquet[name].to_numpy(), values)
    write_table(
        tmp_path / "whole.csv", {name: values[:2] for name, values in columns.items()}
    )  # there are no energies after the end
    again = read_table(tmp_path / "whole.csv")  # our own reader wants every cell filled
    np.testing.assert_array_equal(again.column("energy in J: kinetic"), columns["energy in J: kinetic"][:2])


def test_that_a_table_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch) -> None:
    columns = {"t [s]": np.arange(3.0)}
    with pytest.raises(TableFileError, match=r'"\.xlsx" is no format of tables'):
        write_table(tmp_path / "a.xlsx", columns)
    with pytest.raises(TableFileError, match="cannot be written"):
        write_table(tmp_path / "missing" / "a.csv", columns)
    (tmp_path / "a.csv").write_text("old")

    def fails(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "write_csv", fails)
    with pytest.raises(TableFileError, match="No space left"):
        write_table(tmp_path / "a.csv", columns)
    assert (tmp_path / "a.csv").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_that_a_missing_pyarrow_is_told_with_the_extra(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(TableFileError, match=r"Parquet needs pyarrow\. Add it with: .*add tables"):
        write_table(tmp_path / "a.parquet", {"t [s]": np.arange(3.0)})
    assert not list(tmp_path.iterdir())


def test_that_signals_are_written_to_the_terminal(plan, capsys) -> None:
    options = {"start": 0.0, "stop": 0.3, "rate": 10.0}
    evaluate_to(
        plan, ["energy in J; port force of C up in N", "quaternion of tip relative to base"], Path("-"), **options
    )
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 5
    assert len(rows[0]) == 1 + 5 + 1 + 4
    assert [float(row[0]) for row in rows[1:]] == [0.0, 0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"start": 2.0, "stop": 1.0, "rate": 10.0}, "not before the start"),
        ({"start": 0.0, "stop": 1e6, "rate": 1e6}, "Use a lower rate"),
        ({"start": float("nan"), "stop": None, "rate": 1.0}, "expected a time"),
    ],
)
def test_that_a_senseless_range_is_refused(plan, tmp_path, options, said) -> None:
    with pytest.raises(EvaluateError, match=said):
        evaluate_to(plan, ["energy in J"], tmp_path / "a.csv", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["gimbal-lock", "sensor", "tennis-racket"])
def test_that_a_table_is_made_in_blocks_with_the_bits_of_one_piece(name, monkeypatch) -> None:
    path = assets.path(f"scenes/{name}.yaml")
    plan = compile_plan(load_scene(path).scene, path.parent)
    times = np.linspace(plan.start, plan.end, 50)
    whole = tabulate(plan, plan.view_data.plots, times)
    asked: list[int] = []

    def counted(plan, signal, times, snapshot):
        asked.append(len(times))
        return plot_curves(plan, signal, times, snapshot)

    monkeypatch.setattr("framescope.core.evaluation.frame_tree.MAX_TIMES", 7)
    monkeypatch.setattr("framescope.core.evaluation.signal_curves.plot_curves", counted)
    for key, values in tabulate(plan, plan.view_data.plots, times).items():
        np.testing.assert_array_equal(values, whole[key], key)
    assert max(asked) == 7
    assert all(len(values) == 0 for values in tabulate(plan, plan.view_data.plots, times[:0]).values())


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["demo", "gimbal-lock", "sensor", "robot-arm", "drift", "keyframes", "recorded-camera"]
)
def test_that_signals_sampled_together_have_the_bits_of_each_alone(name, monkeypatch) -> None:
    path = assets.path(f"scenes/{name}.yaml")
    scene = load_scene(path).scene
    together, alone = (compile_plan(scene, path.parent) for _ in range(2))
    plotted = [signal for plot in together.view_data.plots for signal in plot.signals]
    before = parse_signal(
        f"position of {together.names[-1]} relative to {together.names[1]} resolved in world"
        f" through world 0.3 s before in m",
        scene,
    )
    signals = [*all_signals(together), *plotted, before]
    times = np.linspace(together.start - 0.1, together.end + 0.1, 41)
    steps: list[tuple[int, int]] = []
    monkeypatch.setattr("framescope.core.evaluation.frame_tree.MAX_POSES", 10 * len(together.names))
    curves = list(sample_curves(together, signals, times, lambda done, total: steps.append((done, total))))
    for signal, values in zip(signals, curves, strict=True):
        np.testing.assert_array_equal(values, plot_curves(alone, signal, times), describe(signal))
    assert steps == [(k + 1, 5 * len(signals)) for k in range(5 * len(signals))]


def test_that_sampling_many_signals_is_cancelled_by_its_report(plan) -> None:
    def cancel(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(sample_curves(plan, list(all_signals(plan)), np.linspace(0.0, 1.0, 3), cancel))


TUMBLING = """
framescope: 1
frames:
  top: {parent: world, orientation: {form: axes, sequence: XZY, angles: ["2*t", "1.7*t", "-0.9*t"], unit: rad}}
"""


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_principal_angles_are_those_that_scipy_prints_and_branch_2_is_the_same_rotation(sequence: str) -> None:
    scene = parse_scene(TUMBLING)[0]
    plan, times = compile_plan(scene), np.linspace(0.05, 10.0, 400)
    told = f"of top relative to world by {sequence} in rad"
    first, second = (
        plot_curves(plan, parse_signal(f"{kind} {told}", scene), times)
        for kind in ("principal angles", "branch 2 angles")
    )
    turned = Rotation.from_matrix(evaluate(plan, times).R_WF[:, 1])
    np.testing.assert_allclose(first, turned.as_euler(sequence), atol=1e-9)
    assert np.abs(first - second).max(axis=-1).min() > 1.0
    for angles in (first, second):
        turns_back = Rotation.from_euler(sequence, angles) * turned.inv()
        assert turns_back.magnitude().max() < 1e-9
    assert np.abs(np.diff(first, axis=0)).max() > 3.0, "they jump"


@pytest.mark.parametrize(("sequence", "at_lock"), [("ZYX", np.pi / 2), ("ZXZ", 0.0)])
def test_that_at_the_lock_principal_angle_1_is_zero(sequence: str, at_lock: float) -> None:
    text = TUMBLING.replace("sequence: XZY", f"sequence: {sequence}").replace(
        '["2*t", "1.7*t", "-0.9*t"]', f"[0.5, {at_lock!r}, 0.2]"
    )
    scene = parse_scene(text)[0]
    signal = parse_signal(f"principal angles of top relative to world by {sequence} in rad", scene)
    whole = 0.7 if sequence == "ZXZ" else -0.3
    np.testing.assert_allclose(
        plot_curves(compile_plan(scene), signal, np.array([0.0])), [[0.0, at_lock, whole]], atol=1e-9
    )
