"""Alignment of two streams: planted mountings, clocks, scales and conventions, and faults of all kinds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.trajectories.core.align_streams import AlignChoice, align
from framescope.features.trajectories.core.pose_stream import PoseStream, StreamError, quaternions_of, stream_of
from framescope.features.trajectories.core.stream_readings import PLAIN, READINGS, StreamReading
from tests.support.pose_streams import Plant, angle_off, misses, planted


def without_times(stream: PoseStream) -> PoseStream:
    return PoseStream(stream.name, None, stream.p_RF, stream.q_RF)


@pytest.mark.parametrize("scale", [1.0, 2.5, 0.001])
def test_that_two_clean_streams_are_aligned_to_rounding(scale) -> None:
    made = planted(Plant(angle=0.0, distance=0.0, outliers=0.0, scale=scale))
    answer = align(made.a, made.b)
    assert angle_off(answer, made) < 1e-9
    assert np.abs(answer.body.p_AB - made.p_X).max() < 1e-9
    assert np.abs(answer.world.p_AB - made.p_Y).max() < 1e-9
    assert abs(answer.scale - scale) < 1e-9
    assert (answer.clocks.offset_s, answer.n_outliers, answer.blind, answer.reading.is_plain) == (0.0, 0, (), True)


@pytest.mark.long
@pytest.mark.parametrize(
    "plant",
    [
        Plant(1, offset=0.137),
        Plant(2, offset=-0.4, hz_b=200.0),
        Plant(3, n=900, hz=30.0, hz_b=10.0, offset=0.3, scale=0.7),
        Plant(4, n=1500, drift=2e-4, offset=0.05),
        Plant(5, scale=0.001, offset=0.2),
        Plant(6, outliers=0.3),
        Plant(7, n=200, hz=10.0, hz_b=10.0, offset=0.25),
    ],
    ids=lambda plant: f"seed {plant.seed}",
)
def test_that_mounting_clocks_and_scale_are_within_their_errors(plant) -> None:
    made = planted(plant)
    answer = align(made.a, made.b)
    assert (misses(answer, made) < 4.0).all()
    assert answer.reading.is_plain
    middle = float(0.5 * (made.b.t[0] + made.b.t[-1]))
    expected = plant.offset + plant.drift * middle
    assert abs(answer.clocks.offset_s - expected) < 5.0 * answer.errors[13] + 2e-4
    assert abs(answer.scale / plant.scale - 1.0) < 2e-3
    assert (answer.clocks.drift != 0.0) == (plant.drift != 0.0)


@pytest.mark.long
@pytest.mark.parametrize("reading", READINGS[1:8], ids=lambda reading: reading.words("a", "b"))
def test_that_a_planted_convention_is_named(reading) -> None:
    made = planted(Plant(11, n=300, offset=0.1, reading=reading))
    answer = align(made.a, made.b)
    assert answer.reading == reading
    assert (misses(answer, made) < 4.0).all()
    assert reading.words("a", "b") in " ".join(answer.notes)


@pytest.mark.long
def test_that_positions_in_other_axes_than_the_orientations_are_named() -> None:
    made = planted(Plant(12))
    b = made.b
    turned = stream_of("b", b.t, b.p_RF[:, [1, 0, 2]] * [1.0, 1.0, -1.0], b.q_RF)
    answer = align(made.a, turned)
    assert answer.reading.axes
    assert (misses(answer, made) < 4.0).all()


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("one axis", "a turns about one axis only (z of a): the position of b along z of a stays unknown."),
        ("plane", "a turns about one axis only (z of a): the position of b along z of a stays unknown."),
        ("no turning", "a does not turn: the position of b on a stays unknown."),
        ("rest", "the rotation of b on a stays unknown."),
    ],
)
@pytest.mark.parametrize("noise", [0.0, 2e-3])
def test_that_what_the_motion_leaves_open_is_named(kind, words, noise) -> None:
    made = planted(Plant(13, kind=kind, angle=noise, distance=noise, outliers=0.05 if noise else 0.0))
    answer = align(made.a, made.b)
    assert any(words in blind.text for blind in answer.blind)
    unknown = [blind for blind in answer.blind if blind.part == "body position"]
    assert not unknown or np.isinf(answer.errors[3:6]).any()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["no turning", "one axis", "rich"])
@pytest.mark.parametrize("is_scalar_first", [False, True])
def test_that_the_order_of_quaternions_is_open_only_without_rotation(kind, is_scalar_first) -> None:
    made = planted(Plant(13, kind=kind, angle=2e-3, distance=2e-3, outliers=0.05))
    q = made.b.q_RF[:, [3, 0, 1, 2]] if is_scalar_first else made.b.q_RF
    answer = align(made.a, stream_of("b", made.b.t, made.b.p_RF, q))
    others = any(reading.is_scalar_first != is_scalar_first for reading in answer.alternatives)
    note = any("do not turn" in note for note in answer.notes)
    if kind == "no turning":
        assert answer.reading == PLAIN
        assert StreamReading(is_scalar_first=True) in answer.alternatives
        assert note
    else:
        assert answer.reading.is_scalar_first == is_scalar_first
        assert (others, note) == (False, False)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_that_a_body_at_rest_is_read_as_written_and_tells_no_reading(seed) -> None:
    made = planted(Plant(seed, kind="rest", angle=2e-3, distance=2e-3, outliers=0.05))
    answer = align(made.a, made.b)
    assert (answer.reading, answer.alternatives) == (PLAIN, READINGS[1:])
    assert not answer.notes


def test_that_no_order_is_open_where_the_numbers_are_stated() -> None:
    made = planted(Plant(13, kind="no turning"))
    answer = align(made.a, made.b, AlignChoice(conventions=False))
    assert not answer.alternatives
    assert not any("do not turn" in note for note in answer.notes)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_that_planar_motion_is_read_as_it_stands(seed) -> None:
    made = planted(Plant(seed, kind="plane", angle=3e-3, distance=4e-3, outliers=0.03))
    in_world = quaternions_of(made.R_Y @ made.b.R_RF)
    moved = stream_of("b", made.b.t, made.b.p_RF @ made.R_Y.T + made.p_Y, in_world)
    for b in (made.b, moved):
        answer = align(made.a, b)
        assert answer.reading.is_plain
        assert not any(reading.is_mirrored for reading in answer.alternatives)


def test_that_a_stream_against_itself_is_the_identity() -> None:
    a = planted(Plant(14, outliers=0.0)).a
    answer = align(a, a)
    assert np.abs(answer.body.to_matrix() - np.eye(4)).max() < 1e-12
    assert np.abs(answer.world.to_matrix() - np.eye(4)).max() < 1e-12
    assert (answer.scale, answer.clocks.offset_s, answer.n_outliers) == (1.0, 0.0, 0)


def test_that_one_frame_in_two_worlds_and_two_frames_in_one_world_are_forms_of_their_own() -> None:
    made = planted(Plant(15))
    b = made.b
    world = stream_of("w", b.t, made.a.p_RF @ made.R_Y + made.p_Y, made.a.q_RF)
    world = stream_of("w", b.t, world.p_RF, quaternions_of(made.R_Y.T @ made.a.R_RF))
    answer = align(made.a, world, AlignChoice(form="same frame"))
    assert np.abs(answer.world.R_AB - made.R_Y).max() < 1e-6
    assert (answer.errors[:6] == 0.0).all()
    body = stream_of("b", made.a.t, made.a.p_RF + made.a.R_RF @ made.p_X, quaternions_of(made.a.R_RF @ made.R_X))
    answer = align(made.a, body, AlignChoice(form="same world"))
    assert np.abs(answer.body.p_AB - made.p_X).max() < 1e-9


def test_that_gaps_and_an_offset_of_hours_between_the_clocks_are_bridged() -> None:
    made = planted(Plant(16, n=1500))
    keep = np.r_[0:500, 800:1500]
    later = stream_of("b", made.b.t + 7200.0, made.b.p_RF, made.b.q_RF)
    answer = align(made.a.some(keep), later)
    assert abs(answer.clocks.offset_s + 7200.0) < 1e-3
    assert (misses(answer, made) < 4.0).all()


def test_that_the_aligned_poses_are_those_of_a() -> None:
    made = planted(Plant(17, angle=0.0, distance=0.0, outliers=0.0, scale=0.5))
    back = align(made.a, made.b).aligned_b()
    assert np.abs(back.p_RF - made.a.p_RF).max() < 1e-9
    assert np.abs(back.R_RF - made.a.R_RF).max() < 1e-9


@pytest.mark.parametrize("n", [0, 1, 2])
def test_that_too_few_poses_are_refused(n) -> None:
    made = planted(Plant(18))
    with pytest.raises(StreamError, match="expected at least 3"):
        align(made.a.some(slice(0, n)), made.b.some(slice(0, n)))


@pytest.mark.long
def test_that_unrelated_streams_are_refused() -> None:
    with pytest.raises(StreamError, match="no rigid mounting joins"):
        align(planted(Plant(19)).a, planted(Plant(20)).b)


def test_that_streams_without_times_of_unequal_length_are_refused() -> None:
    made = planted(Plant(21))
    with pytest.raises(StreamError, match="equally many"):
        align(without_times(made.a), without_times(made.b.some(slice(0, 50))))


def test_that_a_known_offset_and_scale_stay() -> None:
    made = planted(Plant(22, offset=0.2))
    answer = align(made.a, made.b, AlignChoice(offset_s=0.2, has_scale=False))
    assert (answer.clocks.offset_s, answer.scale) == (0.2, 1.0)
    assert (answer.errors[12:] == 0.0).all()


@pytest.mark.long
def test_that_the_standard_errors_hold_for_many_pairs() -> None:
    n_within, n = 0, 40
    for seed in range(n):
        random = np.random.default_rng(seed)
        hz, hz_b = random.choice([10.0, 20.0, 50.0, 100.0], 2)
        plant = Plant(
            seed, n=int(20 * hz), hz=hz, hz_b=hz_b, offset=random.uniform(0.0, 0.5),
            scale=float(random.choice([1.0, random.uniform(0.5, 2.0)])), reading=READINGS[random.integers(0, 5)],
        )  # fmt: skip
        made = planted(plant)
        n_within += bool((misses(align(made.a, made.b), made) < 3.0).all())
    assert n_within >= 36


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_that_a_car_on_one_clock_has_no_false_delay(seed) -> None:
    random = np.random.default_rng([seed, 77])
    t = 0.05 * np.arange(400.0)
    heading = 0.4 * np.sin(0.5 * t) + 0.2 * np.sin(1.3 * t)
    path = np.cumsum(np.stack([np.cos(heading), np.sin(heading), 0.0 * t], axis=1), axis=0) * 0.05
    R = Rotation.from_rotvec(np.outer(heading, [0.0, 0.0, 1.0]))
    lever = np.array([0.3, 0.1, 0.0])

    def spoilt(p, name):
        p = p + 4e-3 * random.normal(size=p.shape)
        is_out = random.random(len(p)) < 0.03
        p[is_out] += random.normal(size=(is_out.sum(), 3))
        turned = R * Rotation.from_rotvec(3e-3 * random.normal(size=p.shape))
        return stream_of(name, t, p, turned.as_quat())

    answer = align(spoilt(path, "a"), spoilt(path + R.apply(lever), "b"))
    assert answer.reading.is_plain
    assert abs(answer.clocks.offset_s) < 4e-3
    assert np.abs(answer.body.p_AB[:2] - lever[:2]).max() < 6e-3
    assert (np.abs(answer.body.p_AB[:2] - lever[:2]) < 4.5 * answer.errors[3:5]).all()
