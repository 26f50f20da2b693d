"""Accounts of evidence made by hand, for tests of the panel and its controller."""

from __future__ import annotations

import numpy as np

from framescope.features.evidence.core.account import (
    Account,
    Agreement,
    Fault,
    Finding,
    Mounting,
    Unexcited,
    Verdict,
)
from framescope.features.evidence.core.readings import Readings, SensorLog
from tests.support.imu_drives import MINUS_Y_Z_MINUS_X

NONE = np.zeros(0)
ORIENTATION, GYROSCOPE, ACCELEROMETER = (
    f"{what} of /imu/data" for what in ("orientation", "angular velocity", "specific force")
)
POSE, TWIST, TF, FIELD = "orientation of /odom", "angular velocity of /odom", "orientation of /tf", "field of /imu/mag"
SENTENCE = "imu_link is mounted −y z −x to base_link (±0.4°), 38 ms late; proven by 6.0 to 12.5 s."


def readings(name: str, frame: str, reference: str = "") -> Readings:
    quantity = name.partition(" of ")[0].replace("field", "magnetic field")
    return Readings(name, name.partition(" of ")[2], quantity, NONE, np.zeros((0, 3)), frame, reference)


def agreement(
    first: str, second: str, verdict: Verdict, apart: float, faults: tuple[Fault, ...] = (), n: int = 400
) -> Agreement:
    t = np.linspace(0.0, 20.0, n)
    random = np.random.default_rng(len(first) + 7 * len(second))
    after = np.abs(random.normal(0.0, 0.004, n))
    before = after + 0.5 * np.abs(np.sin(0.7 * t)) if verdict in ("explained", "contradict") else after
    words = {
        "agree": f"{first} and {second} agree to 0.0041 rad/s rms.",
        "explained": f"{first} agrees with {second} once it is turned by the mounting −y z −x and 38 ms earlier.",
        "contradict": f"{first} contradicts {second}, and no fault that is known explains it.",
        "cannot tell": f"{first} and {second} cannot be compared: the rover hardly turns.",
    }
    size = tuple(float(np.sqrt((each**2).mean())) if n else np.nan for each in (before, after))
    residual = np.stack([before, after], axis=1)
    return Agreement(
        first, second, verdict, faults, apart, 1.0, *size, "rad/s", (6.0, 12.5), words[verdict], t, residual
    )


MOUNTING = Mounting("imu_link", "base_link", np.array(MINUS_Y_Z_MINUS_X), None, np.diag([4e-5, 5e-5, 6e-5]), "−y z −x")
TURNED = Fault("mounting", GYROSCOPE, "mounted −y z −x", MINUS_Y_Z_MINUS_X, (0.006, 0.007, 0.008))
LATE = Fault("delay", GYROSCOPE, "38 ms late", (0.038,), (0.001,))
DEGREES = Fault("unit", TWIST, "in degrees per second", (57.29577951308232,))


def account() -> Account:
    """Return an account with every verdict, severity and kind of mend."""
    log = SensorLog(
        (
            readings(ORIENTATION, "imu_link"),
            readings(GYROSCOPE, "imu_link"),
            readings(ACCELEROMETER, "imu_link"),
            readings(POSE, "base_link", "odom"),
            readings(TWIST, "base_link", "odom"),
            readings(TF, "base_link", "odom"),
            readings(FIELD, "mag_link"),
        )
    )
    findings = (
        Finding(SENTENCE, "red", (ORIENTATION, GYROSCOPE), (TURNED, LATE), MOUNTING, (), (6.0, 12.5)),
        Finding(
            "angular velocity of /odom is in degrees per second; proven by 2.0 to 18.0 s.",
            "amber",
            (TWIST,),
            (DEGREES,),
            None,
            (),
            (2.0, 18.0),
        ),
        Finding(
            "orientation of /imu/data starts as zero or its reference is turned.",
            "amber",
            (ORIENTATION,),
            is_certain=False,
        ),
        Finding(
            "orientation of /odom and orientation of /tf agree to 0.05°.",
            "note",
            (POSE, TF),
            stretch=(0.0, 20.0),
        ),
        Finding(
            "The position of imu_link along z stays open.",
            "note",
            (ACCELEROMETER, TF),
            unexcited=(
                Unexcited(
                    (ACCELEROMETER,), "position", np.array([0.0, 0.0, 1.0]), "base_link", "A turn about x would tell."
                ),
            ),
        ),
    )
    agreements = (
        agreement(GYROSCOPE, ORIENTATION, "agree", 44.0),
        agreement(ORIENTATION, ACCELEROMETER, "agree", 12.0),
        agreement(ORIENTATION, POSE, "explained", 61.0, (TURNED, LATE)),
        agreement(GYROSCOPE, POSE, "explained", 25.0, (TURNED, LATE)),
        agreement(GYROSCOPE, TWIST, "contradict", 8.0),
        agreement(GYROSCOPE, TF, "explained", 31.0, (TURNED, LATE)),
        agreement(ORIENTATION, TF, "explained", 62.0, (TURNED, LATE)),
        agreement(POSE, TF, "agree", 300.0),
        agreement(TWIST, POSE, "explained", 5.0, (DEGREES,)),
        agreement(FIELD, ORIENTATION, "cannot tell", 0.4),
        agreement(FIELD, TF, "cannot tell", 1.2),
    )
    return Account(log, findings, agreements)


def healthy_account() -> Account:
    """Return an account of sensors that agree."""
    log = SensorLog((readings(ORIENTATION, "imu_link"), readings(TF, "base_link", "odom")))
    note = Finding("imu_link agrees with base_link to 0.2°.", "note", (ORIENTATION, TF), stretch=(0.0, 20.0))
    return Account(log, (note,), (agreement(ORIENTATION, TF, "agree", 40.0),))
