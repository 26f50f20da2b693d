"""Direction of poses and orientations: open where the motion, a name or the form contradicts the usual one."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.features.table_import.core.answers import GIVEN, Answers
from framescope.features.table_import.core.decisions import decisions
from framescope.features.table_import.core.guess_columns import Guess, guess
from tests.imports.motions import Columns, Motion, drive, pose, quat, tumble, turned, walk, xyz

MOTIONS = {"walk": walk(), "large turns": walk(0.9), "tumble": tumble(), "drive": drive(), "winding drive": drive(3.0)}


def guessed(columns: Columns, name: str = "a.csv", preamble: tuple[str, ...] = ()) -> Guess:
    table = MixedTable(name, tuple(columns), columns, {}, len(next(iter(columns.values()))), preamble=preamble)
    return guess(table, name)


def conjugate(m: Motion) -> Motion:
    return Motion(m.t, m.p, np.swapaxes(m.R, 1, 2))


def matrix(m: Motion, names: str = "r") -> Columns:
    cells = m.R.reshape(len(m.t), 9).T
    return dict(zip((f"{names}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)), cells, strict=True))


def certainties(read: Guess) -> tuple[str, str]:
    return read.reasons["pose"].certainty, read.reasons["maps"].certainty


# --- The motion


@pytest.mark.parametrize("name", MOTIONS)
def test_that_inverse_poses_are_open(name) -> None:
    read = guessed(pose(MOTIONS[name].inverse))
    assert certainties(read) == ("open", "assumed")
    assert read.choices.pose == "frame in parent"
    assert read.reasons["pose"].text.startswith("perhaps parent in frame: the rotation carries the positions; ")


@pytest.mark.parametrize("name", MOTIONS)
def test_that_plain_poses_stay_assumed(name) -> None:
    assert certainties(guessed(pose(MOTIONS[name]))) == ("assumed", "assumed")


@pytest.mark.parametrize("name", [name for name in MOTIONS if name != "tumble"])
def test_that_orientations_of_the_other_direction_are_open_where_the_frame_moves_ahead(name) -> None:
    read = guessed(pose(conjugate(MOTIONS[name])))
    assert certainties(read) == ("assumed", "open")
    assert read.choices.maps == "frame to parent"
    assert read.reasons["maps"].text.startswith("perhaps parent to frame: the frame then points along its path; ")


def test_that_the_other_reading_of_inverse_poses_is_offered() -> None:
    columns = pose(walk().inverse)
    table = MixedTable("a.csv", tuple(columns), columns, {}, 60)
    read = guess(table, "a.csv")
    made = {decision.name: decision for decision in decisions(table, read.choices, read.reasons)}
    assert (made["direction"].certainty, made["direction"].alternatives) == ("open", ("parent in frame",))
    assert "the true position at one time would decide it" in made["direction"].settled_by


def test_that_a_name_of_the_inverse_that_the_motion_confirms_is_not_doubted() -> None:
    read = guessed(pose(walk().inverse, {"t_w2c": walk().t}))
    assert (read.choices.pose, read.reasons["pose"].certainty) == ("parent in frame", "assumed")


def test_that_a_name_of_the_inverse_that_the_motion_contradicts_is_open() -> None:
    read = guessed(pose(walk(), {"t_w2c": walk().t}))
    assert (read.choices.pose, read.reasons["pose"].certainty) == ("parent in frame", "open")


def test_that_a_format_and_an_answer_are_not_doubted() -> None:
    columns = pose(walk().inverse)
    assert guess(MixedTable("a.tum", tuple(columns), columns, {}, 60), "a.tum").reasons["pose"].certainty == "format"
    answered = guess(MixedTable("a.csv", tuple(columns), columns, {}, 60), "a.csv", Answers(choices={"pose": "frame in parent"}))  # fmt: skip # noqa: E501
    assert answered.reasons["pose"] == GIVEN


def circle(radius: float = 2.0, n: int = 200) -> Motion:
    """A vehicle on a circle about the origin, ahead."""
    angle = np.linspace(0.0, 9.0, n)
    p = radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return Motion(0.05 * np.arange(n), p, turned(np.stack([angle + 0.5 * np.pi, 0 * angle, 0 * angle], axis=1)))


def orbit(n: int = 300) -> Motion:
    """A camera that goes round an object at the origin, looks at it, and trembles."""
    angle, random = np.linspace(0.0, 7.0, n), np.random.default_rng(5)
    p = np.stack([2.0 * np.cos(angle), 2.0 * np.sin(angle), 0.3 * np.sin(2 * angle)], axis=1)
    angles = np.stack([angle + np.pi, 0 * angle, 0 * angle], axis=1)
    return Motion(0.05 * np.arange(n), p, turned(angles + 0.01 * random.normal(size=(n, 3))))


def at_rest(n: int = 100) -> Motion:
    random = np.random.default_rng(6)
    p = [1.0, 2.0, 0.5] + 1e-3 * random.normal(size=(n, 3))
    return Motion(0.05 * np.arange(n), p, turned(2e-3 * random.normal(size=(n, 3))))


@pytest.mark.parametrize("made", [circle(), orbit(), at_rest(), walk(n=12)], ids=["circle", "orbit", "rest", "short"])
def test_that_motions_that_tell_nothing_leave_no_doubt(made) -> None:
    assert certainties(guessed(pose(made))) == ("assumed", "assumed")


@pytest.mark.parametrize("noise", [0.0, 3e-3])
def test_that_noise_and_jumps_change_no_doubt(noise) -> None:
    random = np.random.default_rng(7)
    for m, expected in ((walk(n=400), "assumed"), (walk(n=400).inverse, "open")):
        p = m.p + noise * random.normal(size=m.p.shape)
        p[::37] += random.normal(size=p[::37].shape)
        assert guessed(pose(Motion(m.t, p, m.R))).reasons["pose"].certainty == expected


@pytest.mark.parametrize("value", [0.0, np.nan, 1e200, -1e308])
def test_that_numbers_without_a_motion_do_no_harm(value) -> None:
    columns = pose(walk())
    columns |= {name: np.full(60, value) for name in "xyz"}
    reasons = guessed(columns).reasons
    assert "perhaps" not in reasons["pose"].text + reasons["maps"].text


@pytest.mark.parametrize("m", [walk(), walk().inverse], ids=["plain", "inverse"])
@pytest.mark.parametrize("scale", [1e160, 1e300])
def test_that_positions_whose_squares_overflow_are_not_doubted(m, scale) -> None:
    assert guessed(pose(Motion(m.t, scale * m.p, m.R))).reasons["pose"].certainty == "assumed"


# --- Matrices


@pytest.mark.parametrize("m", [tumble(), conjugate(tumble())], ids=["as usual", "the other way"])
def test_that_a_matrix_beside_the_position_is_open(m) -> None:
    read = guessed({"t": m.t} | xyz(m) | matrix(m))
    assert certainties(read) == ("assumed", "open")


@pytest.mark.parametrize(("m", "certainty"), [(drive(), "assumed"), (conjugate(drive()), "open")])
def test_that_the_path_tells_the_direction_of_a_matrix(m, certainty) -> None:
    read = guessed({"t": m.t} | xyz(m) | matrix(m))
    assert read.reasons["maps"].certainty == certainty
    assert "along its path" in read.reasons["maps"].text


def test_that_rates_prove_the_direction_of_a_matrix() -> None:
    m = tumble()
    rates = dict(zip((f"gyro_{c} [rad/s]" for c in "xyz"), m.rates.T, strict=True))
    assert guessed({"t": m.t} | xyz(m) | matrix(m) | rates).reasons["maps"].certainty == "certain"


def test_that_a_matrix_with_the_position_in_it_is_assumed() -> None:
    m = tumble()
    T = np.zeros((60, 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = m.R, m.p, 1.0
    for names in ([f"T{i}{j}" for i in range(4) for j in range(4)], [str(i) for i in range(2, 18)]):
        read = guessed({"1": m.t} | dict(zip(names, T.reshape(60, 16).T, strict=True)))
        assert read.reasons["maps"].certainty == "assumed"


def test_that_nine_numbers_without_names_are_asked_for_once() -> None:
    m = tumble()
    columns = dict(enumerate([m.t, *m.R.reshape(60, 9).T, *m.p.T], 1))
    read = guessed({str(name): values for name, values in columns.items()})
    assert (read.reasons["major"].certainty, read.reasons["maps"].certainty) == ("open", "assumed")


# --- JPL


@pytest.mark.parametrize(
    ("name", "columns", "preamble"),
    [
        ("poses_jpl.csv", "qx qy qz qw", ()),
        ("JPL.tum", "qx qy qz qw", ()),
        ("a.csv", "q_jpl.x q_jpl.y q_jpl.z q_jpl.w", ()),
        ("a.csv", "qx qy qz qw", ("JPL convention, q_GtoI",)),
    ],
)
def test_that_quaternions_of_jpl_are_open(name, columns, preamble) -> None:
    m = tumble()
    read = guessed({"t": m.t} | xyz(m) | quat(m, columns), name, preamble)
    assert (read.choices.maps, read.reasons["maps"].certainty) == ("frame to parent", "open")
    assert "JPL" in read.reasons["maps"].text


@pytest.mark.parametrize("name", ["a.csv", "jplx.csv", "ajpl.csv"])
def test_that_other_names_are_none_of_jpl(name) -> None:
    assert guessed(pose(tumble()), name).reasons["maps"].certainty == "assumed"


def test_that_rates_prove_the_direction_of_quaternions_of_jpl() -> None:
    m = tumble()
    rates = dict(zip((f"gyro_{c} [rad/s]" for c in "xyz"), m.rates.T, strict=True))
    read = guessed({"t": m.t} | xyz(m) | quat(m, "qw qx qy qz") | rates, "jpl.csv")
    assert read.reasons["maps"].certainty == "certain"


def test_that_the_reason_of_the_assumption_follows_the_doubt() -> None:
    read = guessed(pose(walk().inverse))
    text = "perhaps parent in frame: the rotation carries the positions; without that, as TUM has it"
    assert read.reasons["pose"] == Reason(text, 0.4)
