"""Motion capture: Euler angles, rotation vectors, and the files of Vicon and OptiTrack."""

# ruff: noqa: E501 - one line for each variant

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.imports.motions import (
    Columns,
    Motion,
    N,
    Variant,
    quat,
    text,
    walk,
    xyz,
)


def capture() -> Iterator[Variant]:
    m = walk(0.6)
    wild = walk(1.2)

    def of(name: str, content: str, truth: Motion = m, **more: object) -> Variant:
        return Variant("mocap", name, content.encode(), truth, **more)  # type: ignore[arg-type]

    def turns(
        motion: Motion, names: str, sequence: str = "ZYX", scale: float = 1.0, order: tuple[int, ...] = (2, 1, 0)
    ) -> Columns:
        return dict(zip(names.split("|"), (motion.angles[:, order] * scale).T, strict=True))

    deg = 180 / np.pi
    t = {"t": m.t}
    rpy = turns(m, "roll|pitch|yaw")
    rad = {"angle_unit": "rad"}
    yield of("roll pitch yaw", text(t | xyz(m) | rpy), answers=rad, must_be=("angle_unit",))
    yield of(
        "roll pitch yaw in degrees",
        text(t | xyz(m) | turns(m, "roll|pitch|yaw", scale=deg)),
        answers={"angle_unit": "deg"},
    )
    yield of(
        "yaw pitch roll [deg]",
        text(t | xyz(m) | turns(m, "yaw [deg]|pitch [deg]|roll [deg]", scale=deg, order=(0, 1, 2))),
    )
    yield of("phi theta psi", text(t | xyz(m) | turns(m, "phi|theta|psi")), answers=rad)
    tiny = walk(0.02)
    yield of(
        "small angles", text(t | xyz(tiny) | turns(tiny, "roll|pitch|yaw")), tiny, answers=rad, must_be=("angle_unit",)
    )
    yield of(
        "small angles in degrees",
        text(t | xyz(tiny) | turns(tiny, "roll|pitch|yaw", scale=deg)),
        tiny,
        answers={"angle_unit": "deg"},
        must_be=("angle_unit",),
    )
    middle = walk(0.05)
    yield of(
        "angles of some degrees",
        text(t | xyz(middle) | turns(middle, "roll|pitch|yaw", scale=deg)),
        middle,
        answers={"angle_unit": "deg"},
        must_be=("angle_unit",),
    )
    rates = dict(zip(("wx [rad/s]", "wy [rad/s]", "wz [rad/s]"), middle.rates.T, strict=True))
    yield of(
        "angles of some degrees beside rates",
        text(t | xyz(middle) | turns(middle, "roll|pitch|yaw", scale=deg) | rates),
        middle,
        answers={"angle_unit": "deg"},
    )
    for sequence in ("XYZ", "XZY", "ZXY", "zyx", "xyz"):
        motion = walk(0.6, sequence)
        angles = turns(motion, "rot_1|rot_2|rot_3", order=(0, 1, 2))
        names = dict(zip((f"euler_{c}" for c in sequence.lower()), angles.values(), strict=True))
        columns = t | xyz(motion) | {k: names[k] * deg for k in sorted(names)}
        asked = {"sequence": sequence, "angle_unit": "deg"}
        yield of(f"Euler angles {sequence}", text(columns), motion, answers=asked, must_be=("sequence",))
    half = np.arccos(np.clip(wild.q[:, 3], -1, 1))
    vector = wild.q[:, :3] / np.sinc(half / np.pi)[:, None] * 2.0
    rot = dict(zip(("rx", "ry", "rz"), vector.T, strict=True))
    yield of(
        "rotation vector rx ry rz",
        text(t | xyz(wild) | rot),
        wild,
        answers=rad | {"orientation": "rotation vector=rx,ry,rz"},
        must_be=("orientation",),
    )
    yield of(
        "rotation vector in degrees",
        text(t | xyz(wild) | {k: v * deg for k, v in rot.items()}),
        wild,
        answers={"orientation": "rotation vector=rx,ry,rz", "angle_unit": "deg"},
        must_be=("orientation",),
    )
    yield of(
        "rotvec_x",
        text(t | xyz(wild) | dict(zip((f"rotvec_{c}" for c in "xyz"), vector.T, strict=True))),
        wild,
        answers=rad,
    )
    yield of(
        "rvec[0]",
        text(
            t
            | xyz(wild, "tvec[0] tvec[1] tvec[2]")
            | dict(zip((f"rvec[{i}]" for i in range(3)), vector.T, strict=True))
        ),
        wild,
        answers=rad,
    )
    euler = walk(0.6, "XYZ")
    axes = turns(euler, "rx|ry|rz", order=(0, 1, 2))
    yield of(
        "rx ry rz that are angles",
        text(t | xyz(euler) | axes),
        euler,
        answers=rad | {"orientation": "axes=rx,ry,rz", "sequence": "XYZ"},
        must_be=("orientation",),
    )
    yield of(
        "rx ry rz that are degrees",
        text(t | xyz(euler) | {k: v * deg for k, v in axes.items()}),
        euler,
        answers={"orientation": "axes=rx,ry,rz", "sequence": "XYZ", "angle_unit": "deg"},
        must_be=("orientation",),
    )
    frame = {"Frame": np.arange(1.0, N + 1), "Sub Frame": np.zeros(N)}
    vicon = (
        frame | {k: v * deg for k, v in turns(euler, "RX|RY|RZ", order=(0, 1, 2)).items()} | xyz(euler, "TX TY TZ", 1e3)
    )  # type: ignore[arg-type]
    before = "Objects\n20\n,,Global Angle:body,,,body,,"
    yield of(
        "as Vicon has it",
        text(vicon, before=before, units=("", "", "deg", "deg", "deg", "mm", "mm", "mm")),
        euler,
        answers={"rate": "20", "orientation": "axes=RX [deg],RY [deg],RZ [deg]", "sequence": "XYZ"},
        must_be=("orientation",),
    )
    head = "Format Version,1.23,Take Name,walk,Capture Frame Rate,20.0,Rotation Type,Quaternion,Length Units,Millimeters\n\n"
    head += ",,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body\n,,body,body,body,body,body,body,body\n"
    head += ",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position\n"
    body = text({"Frame": np.arange(float(N)), "Time (Seconds)": m.t} | quat(m) | xyz(m, scale=1e3), header=False)
    yield of("as OptiTrack has it", head + "Frame,Time (Seconds),X,Y,Z,W,X,Y,Z\n" + body)
    head = (
        head.replace("Quaternion", "XYZ")
        .replace(",Rotation,Rotation,Rotation,Rotation,", ",Rotation,Rotation,Rotation,")
        .replace(
            "Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body",
            "Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body",
        )
        .replace("body,body,body,body,body,body,body", "body,body,body,body,body,body")
    )
    body = text(
        {"Frame": np.arange(float(N)), "Time (Seconds)": m.t}
        | turns(euler, "a|b|c", scale=deg, order=(0, 1, 2))
        | xyz(euler, scale=1e3),
        header=False,
    )
    yield of(
        "as OptiTrack has it, Euler angles",
        head + "Frame,Time (Seconds),X,Y,Z,X,Y,Z\n" + body,
        euler,
        answers={"sequence": "XYZ", "angle_unit": "deg"},
    )
    yield of(
        "no header, six numbers",
        text(t | xyz(m) | turns(m, "yaw|pitch|roll", order=(0, 1, 2)), " ", header=False),
        suffix=".txt",
        answers=rad | {"orientation": "axes=5,6,7", "sequence": "ZYX"},
        must_be=("orientation",),
    )
    yield of(
        "no header, six numbers, a rotation vector",
        text({"t": wild.t} | xyz(wild) | rot, " ", header=False),
        wild,
        suffix=".txt",
        answers=rad | {"orientation": "rotation vector=5,6,7"},
        must_be=("orientation",),
    )
