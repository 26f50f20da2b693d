"""Angular rates and accelerations as inertial units write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from tests.imports.motions import (
    Columns,
    N,
    Variant,
    text,
    tumble,
)


def inertial() -> Iterator[Variant]:
    m = tumble()
    w = m.rates
    f = np.einsum("nji,nj->ni", m.R, np.gradient(np.gradient(m.p, m.t, axis=0), m.t, axis=0) * 0.3 + [0, 0, 9.81])
    truth = {"angular velocity": w, "specific force": f}
    deg, g = np.degrees(w), f / 9.80665

    def of(name: str, columns: Columns, vectors: Mapping[str, np.ndarray] = truth, **more: object) -> Variant:
        sep = str(more.pop("sep", ","))
        units, header = more.pop("units", ()), bool(more.pop("header", True))
        return Variant("IMU", name, text(columns, sep, header, units=units).encode(), m, vectors=vectors, **more)  # type: ignore[arg-type]

    def three(names: str, values: np.ndarray) -> Columns:
        return dict(zip(names.split("|"), values.T, strict=True))

    t = {"t": m.t}
    gyro, acc = three("gx|gy|gz", w), three("ax|ay|az", f)
    yield of("gx ax", t | gyro | acc, answers={"angular_velocity_unit": "rad/s"}, must_be=("angular_velocity_unit",))
    yield of("gx ax in deg/s", t | three("gx|gy|gz", deg) | acc, answers={"angular_velocity_unit": "deg/s"})
    yield of(
        "gx ax, small and in deg/s",
        t | three("gx|gy|gz", 0.05 * deg) | acc,
        {"angular velocity": 0.05 * w, "specific force": f},
        answers={"angular_velocity_unit": "deg/s"},
        must_be=("angular_velocity_unit",),
    )
    yield of(
        "ax in g",
        t | gyro | three("ax|ay|az", g),
        answers={"specific_force_unit": "g", "angular_velocity_unit": "rad/s"},
    )
    yield of(
        "named units",
        t | three("gyro_x [deg/s]|gyro_y [deg/s]|gyro_z [deg/s]", deg) | three("acc_x [g]|acc_y [g]|acc_z [g]", g),
    )
    yield of(
        "units in parentheses",
        t | three("GyroX (deg/s)|GyroY (deg/s)|GyroZ (deg/s)", deg) | three("AccX (g)|AccY (g)|AccZ (g)", g),
    )
    yield of("dps and g", t | three("gyr_x_dps|gyr_y_dps|gyr_z_dps", deg) | three("acc_x_g|acc_y_g|acc_z_g", g))
    yield of(
        "a row of units",
        t | three("gx|gy|gz", deg) | three("ax|ay|az", g),
        units=("s", "deg/s", "deg/s", "deg/s", "g", "g", "g"),
    )
    yield of("wx", t | three("wx|wy|wz", w) | acc, answers={"angular_velocity_unit": "rad/s"})
    yield of(
        "omega",
        {"time_s": m.t} | three("omega_x|omega_y|omega_z", w) | three("accel_x|accel_y|accel_z", f),
        answers={"angular_velocity_unit": "rad/s"},
    )
    yield of(
        "as ROS names it",
        {"time": m.t}
        | three("|".join(f"angular_velocity.{c}" for c in "xyz"), w)
        | three("|".join(f"linear_acceleration.{c}" for c in "xyz"), f),
        answers={"angular_velocity_unit": "rad/s"},
    )
    yield of(
        "as EuRoC has it",
        {"#timestamp [ns]": np.round(m.t * 1e9)}
        | three("|".join(f"w_RS_S_{c} [rad s^-1]" for c in "xyz"), w)
        | three("|".join(f"a_RS_S_{c} [m s^-2]" for c in "xyz"), f),
    )
    yield of(
        "with a magnetometer",
        t | gyro | acc | three("mx|my|mz", 30 + 0 * w),
        answers={"angular_velocity_unit": "rad/s"},
    )
    yield of(
        "microseconds", {"timestamp_us": np.round(m.t * 1e6)} | gyro | acc, answers={"angular_velocity_unit": "rad/s"}
    )
    yield of("tabs", t | gyro | acc, sep="\t", answers={"angular_velocity_unit": "rad/s"})
    yield of(
        "with a temperature", t | acc | gyro | {"temp": np.full(N, 25.0)}, answers={"angular_velocity_unit": "rad/s"}
    )
    yield of(
        "no header",
        t | gyro | acc,
        header=False,
        answers={"vector": "angular velocity=2,3,4; specific force=5,6,7", "angular_velocity_unit": "rad/s"},
        must_be=("holds",),
    )
    yield of(
        "no header, only acceleration",
        t | acc,
        {"acceleration": f},
        header=False,
        answers={"vector": "acceleration=2,3,4"},
        must_be=("holds",),
    )
    yield of("only gyro", t | three("gyro_x_rad/s|gyro_y_rad/s|gyro_z_rad/s", w), {"angular velocity": w})
