"""Names that loggers and programs give their columns and files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.imports.motions import Columns, Motion, N, Variant, pose, quat, text, tumble, walk, xyz


def loggers() -> Iterator[Variant]:
    m, other = walk(0.6), walk(0.2)
    turns = Motion(m.t, 0 * m.p, m.R, m.angles)
    deg = np.degrees(m.angles)
    w = tumble().rates
    f = np.stack([np.sin(m.t), np.cos(m.t), 9.81 + 0 * m.t], axis=-1)

    def of(name: str, columns: Columns, truth: Motion = m, **more: object) -> Variant:
        header = bool(more.pop("header", True))
        precise = lambda x: f"{x:.14g}"  # noqa: E731
        return Variant("logger", name, text(columns, header=header, number=precise).encode(), truth, **more)  # type: ignore[arg-type]

    def three(names: str, values: np.ndarray) -> Columns:
        return dict(zip(names.split("|"), values.T, strict=True))

    t = {"t": m.t}
    meant = three("x_des|y_des|z_des", other.p) | three("qx_des|qy_des|qz_des|qw_des", other.q)
    yield of(
        "measured before desired",
        t | three("x_meas|y_meas|z_meas", m.p) | three("qx_meas|qy_meas|qz_meas|qw_meas", m.q) | meant,
    )
    globe = {"lat": 47 + 1e-5 * m.p[:, 1], "lon": 8 + 1e-5 * m.p[:, 0], "alt": 430 + m.p[:, 2]}
    yield of("latitude and longitude", t | globe | quat(m), turns)
    flight = globe | three("compass_heading(degrees)| pitch(degrees)| roll(degrees)", deg)
    yield of(
        "as DJI has it",
        {"time(millisecond)": m.t * 1e3} | flight,
        turns,
        answers={"sequence": "ZYX", "heading": "counterclockwise"},
    )
    yield of("north first", t | {"N": m.p[:, 1], "E": m.p[:, 0], "U": m.p[:, 2]} | quat(m))
    yield of("easting and height", t | three("easting|northing|height", m.p) | quat(m))
    yield of("RX to RW", t | three("RX|RY|RZ|RW", m.q) | three("TX [mm]|TY [mm]|TZ [mm]", m.p * 1e3))
    yield of(
        "as WitMotion has it",
        t
        | three("AccX(g)|AccY(g)|AccZ(g)", f)
        | three("AsX(°/s)|AsY(°/s)|AsZ(°/s)", w)
        | three("AngleX(°)|AngleY(°)|AngleZ(°)", deg)
        | quat(m, "Q0() Q1() Q2() Q3()"),
        turns,
        answers={"quaternion": "wxyz"},
    )
    fixed = walk(0.6, "xyz")
    yield of(
        "W P R",
        t | three("X|Y|Z", fixed.p) | three("W|P|R", np.degrees(fixed.angles)),
        fixed,
        answers={"orientation": "axes=W,P,R", "sequence": "xyz", "angle_unit": "deg"},
    )
    still = Motion(m.t, m.p, np.tile(np.eye(3), (N, 1, 1)))
    yield of(
        "a quaternion without its scalar",
        t | xyz(m) | three("qx|qy|qz", m.q[:, :3]),
        still,
        answers={"orientation": "none"},
        must_be=("orientation",),
    )
    yield of("quaternions of zeros", t | xyz(m) | three("qx|qy|qz|qw", 0 * m.q), still)
    lost = np.column_stack([m.t, m.p, m.q])
    lost[20:30, 1:] = -1.0
    yield of("-1 where tracking was lost", dict(zip(pose(m), lost.T, strict=True)))
    both = {"angular velocity": w, "specific force": f}
    yield of(
        "mg and mdps",
        t
        | three("acc_x [mg]|acc_y [mg]|acc_z [mg]", f / 9.80665e-3)
        | three("gyro_x [mdps]|gyro_y [mdps]|gyro_z [mdps]", np.degrees(w) * 1e3),
        vectors=both,
    )
    yield of(
        "mg, not named",
        t | three("ax|ay|az", f / 9.80665e-3) | three("gx [rad/s]|gy [rad/s]|gz [rad/s]", w),
        vectors=both,
    )
    yield of(
        "cm/s² and mrad/s",
        t
        | three("ax [cm/s^2]|ay [cm/s^2]|az [cm/s^2]", f * 1e2)
        | three("wx [mrad/s]|wy [mrad/s]|wz [mrad/s]", w * 1e3),
        vectors=both,
    )
    for unit, scale in (("kn", 1852 / 3600), ("mph", 0.44704), ("cm/s", 0.01)):
        yield of(
            f"velocity in {unit}", t | three(f"vx [{unit}]|vy [{unit}]|vz [{unit}]", f / scale), vectors={"velocity": f}
        )
    counts = (
        t | three("ax_raw|ay_raw|az_raw", np.round(f * 1670.0)) | three("gx_raw|gy_raw|gz_raw", np.round(w * 7500.0))
    )
    yield of(
        "counts of a sensor",
        counts,
        vectors={"angular velocity": w},
        answers={"angular_velocity_unit": "rad/s"},
        must_be=("angular_velocity_unit", "acceleration_unit"),
        only_doubtful=True,
    )
    backwards = t | {"z": f[:, 2], "y": f[:, 1], "x": f[:, 0]}
    yield of("Accelerometer", backwards, vectors={"specific force": f}, file="Accelerometer.csv", must_be=("holds",))
    yield of(
        "Gyroscope",
        t | three("x|y|z", w),
        vectors={"angular velocity": w},
        file="Gyroscope.csv",
        answers={"angular_velocity_unit": "rad/s"},
        must_be=("holds",),
    )
    yield of("x y z of anything", t | xyz(m), still, answers={"orientation": "none"}, must_be=("holds",))
    vector = three("rodrigues_x|rodrigues_y|rodrigues_z", m.q[:, :3] / m.q[:, 3:])
    yield of(
        "Rodrigues parameters", t | xyz(m) | vector, still, answers={"orientation": "none"}, must_be=("orientation",)
    )
    slow = text(pose(m, {"t": 1e3 * m.t}), " ", header=False).encode()
    yield Variant("logger", "milliseconds in .tum", slow, m, {"time_unit": "ms"}, ".tum", must_be=("time_unit",))
    bodies = "".join(f",{cell}" for cell in ["Rotation"] * 4 + ["Position"] * 3)
    head = (
        f"Format Version,1.23\n,Name{',drill' * 7}\n,ID{',AB12' * 7}\n,{bodies}\nFrame,Time (Seconds),X,Y,Z,W,X,Y,Z\n"
    )
    rows = text({"Frame": np.arange(float(N)), "Time": m.t} | quat(m) | xyz(m), header=False)
    yield Variant("logger", "a row of ids between the names", (head + rows).encode(), m)
