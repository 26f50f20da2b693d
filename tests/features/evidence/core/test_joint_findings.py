"""Joints of described robots: units, signs, offsets, delays, orders and names of joint states, in real bags."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.bag_log import read_bag
from framescope.features.evidence.core.evidence_problems import bag_evidence
from framescope.features.evidence.core.joint_findings import examine_joints, rate_ratio
from framescope.features.evidence.core.robot_joints import described_robots
from tests.support.bags import START_NS, write_ros1, write_ros2
from tests.support.robot_bags import (
    ARM,
    ROVER,
    Clock,
    arm_bag,
    arm_values,
    description,
    forearm_imu,
    joint_state,
    put,
)

DEGREE = float(np.degrees(1.0))


def problems_in(path) -> list:
    with open_bag(path) as bag:
        return list(bag_evidence(bag))


def evidence_of(path):
    with open_bag(path) as bag:
        contents = read_bag(bag)
    return examine_joints(contents.robots, contents.log.start_ns, contents.chains)


def cycle(*names: str):
    """Return the change that gives each joint the values of the next."""

    def change(t, values):
        return values | {name: values[other] for name, other in zip(names, (*names[1:], names[0]), strict=True)}

    return change


def at_rest(t):
    return {name: np.full(len(t), x) for name, x in (("pan", 0.3), ("lift", -0.7), ("elbow", 1.1), ("rail", 0.1))} | {
        "grip": np.zeros(len(t))
    }


CONTAINERS = pytest.mark.parametrize(
    "write",
    [write_ros1, write_ros2, lambda path, sent: write_ros2(path, sent, storage="MCAP")],
    ids=["ROS 1", "SQLite", "MCAP"],
)


@CONTAINERS
def test_that_a_healthy_arm_has_no_finding_and_each_joint_agrees(write, tmp_path) -> None:
    path = write(tmp_path / "arm", arm_bag())
    assert problems_in(path) == []
    found = evidence_of(path)
    assert [agreement.verdict for agreement in found.agreements] == ["agree"] * 5
    assert {agreement.second for agreement in found.agreements} == {
        f"joint {name} of /tf" for name in ("pan", "lift", "elbow", "rail", "grip")
    }
    named = {readings.name for readings in found.readings}
    assert all({agreement.first, agreement.second} <= named for agreement in found.agreements)


@CONTAINERS
def test_that_a_joint_in_degrees_is_told_with_its_factor(write, tmp_path) -> None:
    (problem,) = problems_in(write(tmp_path / "arm", arm_bag(put(elbow=np.degrees))))
    assert (problem.severity, problem.kind, problem.key_path) == ("red", "evidence unit", ("bag", "forearm"))
    assert problem.message.startswith("elbow of /joint_states is in degrees: compared with the transforms in /tf")
    assert problem.fix.text.startswith(f"scale: {1.0 / DEGREE!r}")


FAULTS = {
    "all in degrees": (put(pan=np.degrees, lift=np.degrees, elbow=np.degrees, grip=np.degrees), "unit", "in degrees"),
    "sign": (put(lift=np.negative), "sign", "of opposite sign"),
    "sign and degrees": (put(lift=lambda x: -np.degrees(x)), "unit", "in degrees and of opposite sign"),
    "off": (put(pan=lambda x: x + 0.1), "bias", "off by 0.1 rad (5.73°)"),
    "millimetres": (put(rail=lambda x: 1e3 * x), "unit", "in millimetres"),
    "late": (lambda t, values: arm_values(t - 0.1), "delay", "100 ms late"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fault_is_told_in_one_sentence(name, tmp_path) -> None:
    change, kind, words = FAULTS[name]
    (problem,) = problems_in(write_ros1(tmp_path / "arm.bag", arm_bag(change)))
    assert problem.kind == f"evidence {kind}"
    assert words in problem.message
    found = evidence_of(tmp_path / "arm.bag")
    assert all(agreement.after < 0.02 for agreement in found.agreements)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("pan", "elbow"), "pan and elbow of /joint_states are swapped"),
        (("pan", "lift", "elbow"), "elbow has those of pan, pan has those of lift and lift has those of elbow"),
    ],
)
@pytest.mark.parametrize("values_at", [arm_values, at_rest], ids=["moving", "at rest"])
def test_that_joints_in_another_order_are_told(names, words, values_at, tmp_path) -> None:
    (problem,) = problems_in(write_ros1(tmp_path / "arm.bag", arm_bag(cycle(*names), values_at=values_at)))
    assert (problem.kind, problem.title, problem.hint) == ("evidence joint order", "joints in another order", "")
    assert words in problem.message


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (put(), ""),
        (put(elbow=np.degrees), "unit"),
        (put(elbow=np.negative), "sign"),
        (put(elbow=lambda x: x + 0.2), "bias"),
    ],
)
def test_that_an_arm_at_rest_is_judged_too(change, kind, tmp_path) -> None:
    problems = problems_in(write_ros1(tmp_path / "arm.bag", arm_bag(change, values_at=at_rest)))
    assert [problem.kind for problem in problems] == ([f"evidence {kind}"] if kind else [])


def test_that_values_that_stand_still_while_the_link_moves_contradict(tmp_path) -> None:
    (problem,) = problems_in(write_ros1(tmp_path / "arm.bag", arm_bag(put(elbow=np.zeros_like))))
    assert (problem.kind, problem.severity) == ("evidence", "amber")
    assert "contradict each other" in problem.message


def test_that_a_prefix_of_frames_is_found(tmp_path) -> None:
    healthy = write_ros1(tmp_path / "a.bag", arm_bag(prefix="robot1/"))
    assert problems_in(healthy) == []
    assert len(evidence_of(healthy).agreements) == 5
    faulty = write_ros1(tmp_path / "b.bag", arm_bag(put(elbow=np.degrees), prefix="robot1/"))
    assert [problem.key_path for problem in problems_in(faulty)] == [("bag", "robot1/forearm")]


def test_that_limits_tell_degrees_where_no_transforms_are_sent(tmp_path) -> None:
    messages = arm_bag(put(pan=np.degrees, lift=np.degrees, elbow=np.degrees, grip=np.degrees), has_transforms=False)
    (problem,) = problems_in(write_ros1(tmp_path / "a.bag", messages))
    assert problem.message.startswith("pan, lift, elbow and grip of /joint_states are in degrees: in radians")
    assert problems_in(write_ros1(tmp_path / "b.bag", arm_bag(has_transforms=False))) == []


def with_velocities(factor: float, size: float = 1.0) -> list:
    clock = Clock(seconds=8.0)
    values = arm_values(clock.t)
    rates = {name: np.gradient(x, clock.t) for name, x in values.items()}
    return [
        description(),
        *(
            joint_state(
                stamp,
                {name: size * float(x[i]) for name, x in values.items()},
                {name: factor * float(x[i]) for name, x in rates.items()},
            )
            for i, stamp in enumerate(clock.ns)
        ),
    ]


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (1.0, ""),
        (-1.0, "have a velocity of opposite sign"),
        (DEGREE, "have the velocity in degrees per second and the position in rad"),
    ],
)
def test_that_velocities_are_laid_against_the_change_of_the_values(factor, words, tmp_path) -> None:
    problems = problems_in(write_ros1(tmp_path / "a.bag", with_velocities(factor)))
    assert any(words in problem.message for problem in problems) == bool(words)
    assert bool(problems) == bool(words)


def test_that_noise_and_gaps_of_velocities_are_no_fault() -> None:
    random = np.random.default_rng(3)
    clock = Clock(hz=100.0)
    values = np.sin(clock.t)
    with_noise = np.cos(clock.t) + 0.1 * random.standard_normal(len(clock.t))
    track = read_track(clock, values + 1e-4 * random.standard_normal(len(values)), with_noise)
    assert rate_ratio(track, START_NS, is_angle=True) == pytest.approx(1.0, abs=0.05)
    still = read_track(clock, np.full(len(values), 0.4), np.zeros(len(values)))
    assert rate_ratio(still, START_NS, is_angle=True) is None


def read_track(clock: Clock, values, velocities):
    from framescope.features.bags.core.joint_states import JointTrack

    stamps = np.array(clock.ns)
    return JointTrack("/joint_states", "", "elbow", stamps, stamps, values, velocities)


# --- Names


def renamed(old: str, new: str):
    return lambda t, values: {new if name == old else name: x for name, x in values.items()}


def test_that_a_misspelt_joint_is_told_with_the_name_that_is_meant(tmp_path) -> None:
    (problem,) = problems_in(write_ros1(tmp_path / "a.bag", arm_bag(renamed("elbow", "elbow_"))))
    assert (problem.severity, problem.kind) == ("amber", "evidence joint name")
    assert '"elbow_" may be meant for "elbow"' in problem.message


def test_that_a_joint_besides_the_description_is_a_note(tmp_path) -> None:
    messages = arm_bag(lambda t, values: values | {"door_hinge": np.zeros(len(t))})
    (problem,) = problems_in(write_ros1(tmp_path / "a.bag", messages))
    assert problem.severity == "note"
    assert problem.message.startswith("/robot_description has no joint door_hinge, which /joint_states publishes")


def test_that_joints_of_another_robot_are_told(tmp_path) -> None:
    problems = problems_in(write_ros1(tmp_path / "a.bag", arm_bag(text=ROVER, has_transforms=False)))
    assert [problem.severity for problem in problems] == ["amber"]
    assert "has no joint pan, lift, elbow, rail and grip" in problems[0].message


def test_that_a_joint_by_two_publishers_is_told_only_if_their_values_differ(tmp_path) -> None:
    clock = Clock(seconds=4.0)
    first = arm_bag(clock=clock)
    later = arm_values(clock.t + 0.009)["pan"].tolist()
    for name, value, n in (("same", None, 0), ("other", 0.0, 1)):
        more = [
            joint_state(stamp + 9_000_000, {"pan": x if value is None else value}, publisher="/joint_state_publisher")
            for stamp, x in zip(clock.ns, later, strict=True)
        ]
        problems = problems_in(write_ros1(tmp_path / f"{name}.bag", [*first, *more]))
        told = [problem for problem in problems if "published twice" in problem.message]
        assert len(told) == n, [problem.message for problem in problems]
        in_ros2 = problems_in(write_ros2(tmp_path / name, [*first, *more]))
        assert any("published twice" in problem.message for problem in in_ros2) == bool(n)


def test_that_a_name_twice_in_one_message_is_told(tmp_path) -> None:
    messages = arm_bag()
    for k, message in enumerate(messages):
        if message.on == "/joint_states":
            fields = message.fields | {
                "name": [*message.fields["name"], "pan"],
                "position": np.append(message.fields["position"], 0.0),
            }
            messages[k] = replace(message, fields=fields)
    (problem,) = problems_in(write_ros1(tmp_path / "a.bag", messages))
    assert problem.message.startswith("pan of /joint_states is published twice, within one message")


# --- Inertial units on links


@pytest.mark.long
def test_that_an_imu_on_an_arm_agrees_with_joints_and_with_transforms(tmp_path) -> None:
    for name, has_transforms in (("joints", False), ("transforms", True)):
        path = write_ros1(tmp_path / f"{name}.bag", [*arm_bag(has_transforms=has_transforms), *forearm_imu()])
        assert problems_in(path) == []
        with open_bag(path) as bag:
            log = read_bag(bag).log
        by = "by /joint_states" if not has_transforms else "in /tf"
        assert f"orientation of forearm {by}" in {readings.name for readings in log.readings}
        (mount,) = log.mounts
        assert (mount.parent, mount.frame) == ("forearm", "imu_link")
        assert np.allclose(mount.p, [0.1, 0.0, 0.03])


@pytest.mark.long
def test_that_an_imu_tells_which_joint_has_the_opposite_sign(tmp_path) -> None:
    for name, change, words in (
        ("sign", put(lift=np.negative), "lift of /joint_states is of opposite sign"),
        ("swap", cycle("pan", "elbow"), "pan and elbow of /joint_states are swapped"),
    ):
        messages = [*arm_bag(change, has_transforms=False), *forearm_imu()]
        (problem,) = problems_in(write_ros1(tmp_path / f"{name}.bag", messages))
        assert problem.message.startswith(words)
        assert problem.key_path == ("bag", "forearm")


@pytest.mark.long
def test_that_rates_in_degrees_are_those_of_the_imu(tmp_path) -> None:
    messages = [*arm_bag(has_transforms=False), *forearm_imu(factor=DEGREE)]
    (problem,) = problems_in(write_ros1(tmp_path / "a.bag", messages))
    assert problem.message.startswith("angular velocity of /imu is in degrees per second")


# --- Hostile bags


@pytest.mark.parametrize(
    "change",
    [
        lambda t, values: values | {"elbow": np.where(np.arange(len(t)) % 3, values["elbow"], np.nan)},
        lambda t, values: values | {"elbow": np.full(len(t), np.nan)},
        lambda t, values: values | {"elbow": np.full(len(t), np.inf)},
        lambda t, values: values | {"elbow": np.where(np.arange(len(t)) % 2, 1e308, -1e308)},
        lambda t, values: values | {"elbow": np.full(len(t), 1e200)},
        lambda t, values: {"": values["elbow"]},
        lambda t, values: {"a\nb": values["elbow"], "<b>": values["pan"]},
        lambda t, values: values | {f"joint_{k}": t for k in range(300)},
    ],
    ids=["some missing", "all missing", "infinite", "huge", "large", "nameless", "hostile names", "many"],
)
def test_that_strange_values_and_names_do_no_harm(change, tmp_path) -> None:
    problems = problems_in(write_ros1(tmp_path / "a.bag", arm_bag(change, clock=Clock(seconds=2.0))))
    assert all("nan" not in problem.message for problem in problems)
    assert not any(problem.kind == "evidence unit" for problem in problems)


@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.1])
def test_that_few_messages_do_no_harm(seconds, tmp_path) -> None:
    assert problems_in(write_ros1(tmp_path / "a.bag", arm_bag(put(pan=np.degrees), clock=Clock(seconds=seconds)))) == []


def test_that_stamps_of_zero_are_replaced(tmp_path) -> None:
    messages = [replace(each, stamp_ns=0) if each.on == "/joint_states" else each for each in arm_bag()]
    problems = problems_in(write_ros1(tmp_path / "a.bag", messages))
    assert all(problem.severity == "note" or "late" in problem.message for problem in problems)


@pytest.mark.parametrize("text", ["", "no XML", "<robot name='r'/>", "<robot name='r'><link name='a'/></robot>"])
def test_that_a_description_that_is_none_is_left_out(text, tmp_path) -> None:
    messages = arm_bag(put(elbow=np.degrees), text=text)
    problems = problems_in(write_ros1(tmp_path / "a.bag", messages))
    assert not any("degrees" in problem.message for problem in problems)


def test_that_each_description_counts_once() -> None:
    robots = described_robots({"/robot_description": ARM, "/other/robot_description": ARM, "/bad": "<"})
    assert list(robots) == ["/robot_description"]
