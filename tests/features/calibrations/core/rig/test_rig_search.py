"""The wrong entry of a rig: found where its loops can tell, never on noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Edge, Turn
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.launch_files import LAUNCH_FILES
from framescope.features.calibrations.core.rig.adjustment import Noise
from framescope.features.calibrations.core.rig.graph import blocks
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.search import search
from framescope.features.calibrations.core.rig.words import answer_to
from tests.support.planted_rigs import KINDS, OPTICAL, matrix_of, planted_rig, wrong_matrix
from tests.support.rig_trials import edges_of, named


def answers(rig):
    edges = edges_of(rig)
    return edges, search(edges)


@pytest.mark.parametrize("seed", range(40))
def test_that_one_wrong_entry_is_found_or_left_open_but_never_another_one_named(seed: int) -> None:
    rig = planted_rig(seed)
    edges, verdicts = answers(rig)
    in_loops = {edges[k].edge.entry for block in blocks([edge.frames for edge in edges]) for k in block}
    opened = [verdict for verdict in verdicts if verdict.is_open]
    if rig.entries[0] not in in_loops:
        assert not opened
        return
    (verdict,) = opened
    assert verdict.state in ("found", "kind open", "cannot tell")
    if verdict.state == "found":
        assert named(edges, verdict) == set(zip(rig.entries, rig.kinds, strict=True))
    else:
        causes = (verdict.best, *verdict.rivals)
        assert any(edges[k].edge.entry == rig.entries[0] for cause in causes for k in cause.edges)


@pytest.mark.long
def test_that_most_are_found() -> None:
    n_told = n = 0
    for seed in range(60):
        rig = planted_rig(seed)
        _, verdicts = answers(rig)
        for verdict in verdicts:
            if verdict.is_open and len(verdict.edges) > 2:
                n += 1
                n_told += verdict.state == "found"
    assert n > 25
    assert n_told > 0.8 * n


@pytest.mark.parametrize("seed", range(50))
def test_that_a_healthy_rig_is_silent(seed: int) -> None:
    _, verdicts = answers(planted_rig(1000 + seed, n_faults=0))
    assert not any(verdict.is_open for verdict in verdicts)


@pytest.mark.long
@pytest.mark.parametrize("factor", [2.0, 3.0, 5.0])
def test_that_larger_noise_is_no_fault(factor: float) -> None:
    rng = np.random.default_rng(int(factor))
    for _ in range(20):
        edges = list(edges_of(planted_rig(int(rng.integers(1 << 30)), n_faults=0)))
        for k, edge in enumerate(edges):
            X = edge.edge.X_file
            turn = Rotation.from_rotvec(np.radians(0.1 * factor) * rng.normal(size=3)).as_matrix()
            noisy = Transform(X.R_AB @ turn, X.p_AB + 1e-3 * factor * rng.normal(size=3))
            edges[k] = RigEdge(Edge(edge.edge.parent, edge.edge.child, noisy, edge.edge.entry, edge.edge.is_inverse))
        states = {verdict.state for verdict in search(edges)}
        assert states <= {"closed", "unexplained", "off"}, states


@pytest.mark.parametrize("seed", range(20))
def test_that_two_wrong_entries_are_found_or_left_open(seed: int) -> None:
    rig = planted_rig(5000 + seed, n_faults=2)
    edges, verdicts = answers(rig)
    truth = set(zip(rig.entries, rig.kinds, strict=True))
    for verdict in verdicts:
        if verdict.state == "found":
            assert named(edges, verdict) <= truth


def triangle(kind: str = "", turn: np.ndarray | None = None) -> list[RigEdge]:
    """Return a loop of three exact poses, of which that of b in a has a fault."""
    R1 = Rotation.from_rotvec([0.5, -0.9, 0.4]).as_matrix() if turn is None else turn
    X1, X2 = (
        matrix_of(R1, np.array([0.31, -0.14, 0.22])),
        matrix_of(Rotation.from_rotvec([-0.3, 0.2, 1.1]).as_matrix(), np.array([0.05, 0.4, -0.2])),
    )
    shown = wrong_matrix(kind, X1) if kind else X1
    return [pose("a", "b", shown, "a"), pose("b", "c", X2, "b"), pose("a", "c", X1 @ X2, "c")]


def pose(parent: str, child: str, M: np.ndarray, file: str = "", **more) -> RigEdge:
    return RigEdge(Edge(parent, child, Transform(M[:3, :3], M[:3, 3]), f"T_{parent}_{child}", **more), file)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "other axes"])
def test_each_kind_in_a_triangle(kind: str) -> None:
    edges = triangle(kind)
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.kinds) == ("found", (kind,))
    assert verdict.best.edges == (0,)
    assert "T_a_b" in answer_to(verdict, edges).sentence


def test_that_other_axes_of_a_frame_with_two_poses_cannot_tell_which_pose_has_them() -> None:
    edges = triangle("other axes")
    (verdict,) = search(edges)
    assert verdict.state == "cannot tell"
    assert {cause.edges for cause in (verdict.best, *verdict.rivals)} == {(0,), (1,)}
    M = edges[1].edge.X_file.to_matrix()
    edges += [pose("b", "d", M, "d"), pose("a", "d", triangle()[0].edge.X_file.to_matrix() @ M, "e")]
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.kinds, verdict.best.edges) == ("found", ("other axes",), (0,))
    assert "is in other axes of b: x, y, z are" in answer_to(verdict, edges).sentence


def test_that_an_inverted_pose_in_a_triangle_of_one_file_may_be_two_swapped_ones() -> None:
    edges = [RigEdge(edge.edge, "a") for edge in triangle("inverted")]
    (verdict,) = search(edges)
    assert verdict.state == "cannot tell"
    assert {cause.edges for cause in (verdict.best, *verdict.rivals)} == {(0,), (1, 2)}


def test_that_names_that_nobody_mistakes_are_no_rival_of_an_inverted_pose() -> None:
    names = {"a": "base", "b": "cam0", "c": "lidar"}
    edges = [
        RigEdge(replace(edge.edge, parent=names[edge.edge.parent], child=names[edge.edge.child]), "a")
        for edge in triangle("inverted")
    ]
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.edges, verdict.best.kinds) == ("found", (0,), ("inverted",))
    assert [cause.edges for cause in verdict.unlikely] == [(1, 2)]
    answer = answer_to(verdict, edges)
    assert answer.sentence == "a: T_a_b is inverted."
    assert "swapped" not in answer.text


def test_that_two_mirrored_poses_of_a_triangle_are_mentioned_beside_the_third() -> None:
    edges = triangle()
    for k in (0, 1):
        M = wrong_matrix("mirrored", edges[k].edge.X_file.to_matrix())
        edges[k] = pose(*edges[k].frames, M, edges[k].file)
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.edges) == ("found", (2,))
    assert [(cause.edges, cause.kinds) for cause in verdict.unlikely] == [((0, 1), ("mirrored", "mirrored"))]
    assert "T_b_c" not in answer_to(verdict, edges).text.partition("The next best")[2]


@pytest.mark.long
@pytest.mark.parametrize("kinds", [("inverted",), ("mirrored", "millimetres")])
def test_that_wrong_poses_of_a_rig_with_many_loops_are_found(kinds: tuple[str, ...]) -> None:
    rng = np.random.default_rng(12)
    W = [matrix_of(Rotation.random(random_state=rng).as_matrix(), rng.uniform(-0.5, 0.5, 3)) for _ in range(12)]
    pairs = [(int(rng.integers(k)), k) for k in range(1, 12)]
    pairs += [tuple(rng.choice(12, 2, replace=False)) for _ in range(50)]
    edges = [pose(f"s{i}", f"s{j}", np.linalg.inv(W[i]) @ W[j], str(k)) for k, (i, j) in enumerate(pairs)]
    wrong = (17, 40)[: len(kinds)]
    for k, kind in zip(wrong, kinds, strict=True):
        edges[k] = pose(*edges[k].frames, wrong_matrix(kind, edges[k].edge.X_file.to_matrix()), str(k))
    opened = [verdict for verdict in search(edges) if verdict.is_open]
    assert [verdict.state for verdict in opened] == ["found"]
    assert dict(zip(opened[0].best.edges, opened[0].best.kinds, strict=True)) == dict(zip(wrong, kinds, strict=True))


def test_a_reflection_is_mirrored() -> None:
    edges = triangle()
    M = edges[0].edge.X_file.to_matrix()
    edges[0] = pose("a", "b", matrix_of(M[:3, :3] @ np.diag([1.0, -1.0, 1.0]), M[:3, 3]))
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.kinds, verdict.best.edges) == ("found", ("mirrored",), (0,))


def test_that_a_pose_given_twice_cannot_tell_which_is_inverted() -> None:
    M = matrix_of(Rotation.from_rotvec([0.5, -0.9, 0.4]).as_matrix(), np.array([0.31, -0.14, 0.22]))
    edges = [pose("imu", "cam", M, "a.yaml"), pose("imu", "cam", np.linalg.inv(M), "b.yaml")]
    (verdict,) = search(edges)
    assert verdict.state == "cannot tell"
    text = answer_to(verdict, edges).text
    assert "a.yaml: T_imu_cam is inverted" in text
    assert "b.yaml: T_imu_cam is inverted" in text


def test_that_an_exact_quarter_turn_leaves_the_kind_open() -> None:
    edges = triangle("transposed", turn=OPTICAL)
    M = edges[1].edge.X_file.to_matrix()
    edges += [pose("b", "d", M, "d"), pose("a", "d", triangle(turn=OPTICAL)[0].edge.X_file.to_matrix() @ M, "e")]
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.edges) == ("kind open", (0,))
    assert {"transposed", "other axes"} <= {kind for cause in (verdict.best, *verdict.rivals) for kind in cause.kinds}


def test_wrong_order_and_unit_of_a_turn() -> None:
    q = Rotation.from_rotvec([0.5, -0.9, 0.4]).as_quat()
    edges = triangle()
    numbers = tuple(np.roll(q, 1).tolist())
    wrong = Rotation.from_quat(numbers).as_matrix()  # w x y z, read as x y z w
    M = matrix_of(wrong, edges[0].edge.X_file.p_AB)
    edges[0] = pose("a", "b", M, turn=Turn("quaternion", numbers, "xyzw"))
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.kinds) == ("found", ("other order",))
    degrees = Rotation.from_matrix(triangle()[0].edge.X_file.R_AB).as_euler("xyz", degrees=True)
    wrong = Rotation.from_euler("xyz", degrees).as_matrix()
    edges[0] = pose("a", "b", matrix_of(wrong, M[:3, 3]), turn=Turn("angles", tuple(degrees.tolist()), "xyz", "rad"))
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.kinds) == ("found", ("other unit of angles",))


def test_swapped_left_and_right() -> None:
    rng = np.random.default_rng(7)
    names = ("base", "left", "right", "rear")
    W = {name: matrix_of(Rotation.random(random_state=rng).as_matrix(), rng.uniform(-0.5, 0.5, 3)) for name in names}

    def true(parent: str, child: str) -> np.ndarray:
        return np.linalg.inv(W[parent]) @ W[child]

    edges = [
        pose("base", "left", true("base", "right"), "a"),
        pose("base", "right", true("base", "left"), "a"),
        pose("left", "right", true("left", "right"), "b"),
        pose("left", "rear", true("left", "rear"), "c"),
        pose("base", "rear", true("base", "rear"), "d"),
    ]
    (verdict,) = search(edges)
    assert (verdict.state, verdict.best.kinds, verdict.best.edges) == ("found", ("names swapped",) * 2, (0, 1))
    text = answer_to(verdict, edges).sentence
    assert text == "a: T_base_left and T_base_right have left and right swapped."


def test_that_a_pose_that_is_simply_off_is_named_where_other_loops_close() -> None:
    rng = np.random.default_rng(3)
    names = "abcd"
    W = {name: matrix_of(Rotation.random(random_state=rng).as_matrix(), rng.uniform(-0.5, 0.5, 3)) for name in names}
    pairs = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "c"), ("b", "d"), ("a", "d")]
    edges = [pose(i, j, np.linalg.inv(W[i]) @ W[j]) for i, j in pairs]
    M = edges[0].edge.X_file.to_matrix() @ matrix_of(
        Rotation.from_rotvec([0.1, 0.0, 0.05]).as_matrix(), np.ones(3) / 20
    )
    edges[0] = pose("a", "b", M)
    (verdict,) = search(edges)
    assert (verdict.state, verdict.off) == ("off", (0,))
    assert answer_to(verdict, edges).sentence.startswith("T_a_b is off")


def test_that_no_numbers_end_the_search() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        n = int(rng.integers(2, 5))
        edges = []
        for k in range(int(rng.integers(2, 8))):
            i, j = rng.choice(n, 2, replace=False)
            R = rng.choice([np.eye(3), -np.eye(3), np.zeros((3, 3)), rng.normal(size=(3, 3)), OPTICAL])
            p = 10.0 ** rng.uniform(-12, 6, 3) * rng.choice([-1.0, 0.0, 1.0], 3)
            edge = pose(f"s{i}", f"s{j}", matrix_of(R, p), f"{k % 2}", is_inverse=bool(k % 2))
            edges.append(edge)
        for verdict in search(edges, Noise(*rng.choice([0.0, 1e-3, 1.0], 2))):
            assert answer_to(verdict, edges).text


def test_noise_is_an_option() -> None:
    edges = list(triangle())
    X = edges[0].edge.X_file
    edges[0] = pose("a", "b", matrix_of(X.R_AB, X.p_AB + np.array([0.02, 0.0, 0.0])))
    assert search(edges)[0].state == "unexplained"
    assert search(edges, Noise(0.02, 1.0))[0].state == "closed"


def test_that_absurd_numbers_are_left_out() -> None:
    edges = triangle()
    edges[0] = pose("a", "b", matrix_of(np.eye(3), np.array([1e200, 0.0, 0.0])), "a")
    assert search(edges) == ()
    edges[0] = pose("a", "b", matrix_of(np.zeros((3, 3)), np.zeros(3)))
    assert len(search(edges)) == 1


def test_that_a_launch_line_with_the_scalar_first_is_named() -> None:
    """A publisher takes x y z w; here one line has w x y z."""
    R, S = (Rotation.from_rotvec(v).as_matrix() for v in ([0.3, -0.5, 0.8], [-0.7, 0.2, 0.4]))
    poses = {
        ("base", "imu"): (R, [0.1, 0.2, 0.3]),
        ("imu", "lidar"): (S, [0.3, 0.0, -0.1]),
        ("base", "lidar"): (R @ S, np.array([0.1, 0.2, 0.3]) + R @ [0.3, 0.0, -0.1]),
        ("lidar", "radar"): (R, [0.0, 0.4, 0.0]),
        ("base", "radar"): (R @ S @ R, np.array([0.1, 0.2, 0.3]) + R @ [0.3, 0.0, -0.1] + R @ S @ [0.0, 0.4, 0.0]),
    }
    lines = []
    for (parent, child), (turn, p) in poses.items():
        q = Rotation.from_matrix(turn).as_quat()
        q = np.roll(q, 1) if (parent, child) == ("imu", "lidar") else q
        numbers = " ".join(f"{number:.9f}" for number in (*p, *q))
        lines.append(f"ros2 run tf2_ros static_transform_publisher {numbers} {parent} {child}")
    calibration = LAUNCH_FILES.read(Source("frames.sh", "\n".join(["#!/bin/sh", *lines, ""]).encode()))
    edges = [RigEdge(edge, "frames.sh") for edge in calibration.edges]
    (verdict,) = search(edges)
    assert verdict.state == "found"
    assert verdict.best is not None
    assert verdict.best.kinds == ("other order",)
    assert [edges[k].edge.child for k in verdict.best.edges] == ["lidar"]
