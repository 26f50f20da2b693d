"""Odometry of vehicles in the plane: x, y and a heading, of every kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.imports.motions import (
    Columns,
    Motion,
    N,
    Variant,
    drive,
    text,
    turned_down,
    walk,
    xyz,
)


def odometry() -> Iterator[Variant]:
    m, turning, flat = drive(), drive(2.6), walk(0.0)
    yaw = {"theta": m.angles[:, 0]}

    def of(name: str, columns: Columns, truth: Motion = m, **more: object) -> Variant:
        sep, header, units = str(more.pop("sep", ",")), bool(more.pop("header", True)), more.pop("units", ())
        return Variant("odometry", name, text(columns, sep, header, units=units).encode(), truth, **more)  # type: ignore[arg-type]

    t = {"t": m.t}
    xy = {"x": m.p[:, 0], "y": m.p[:, 1]}
    rad = {"angle_unit": "rad"}
    yield of("x y theta", t | xy | yaw, answers=rad)
    yield of("x y yaw in degrees", t | xy | {"yaw": np.degrees(m.angles[:, 0])}, answers={"angle_unit": "deg"})
    yield of("x y yaw [deg]", t | xy | {"yaw [deg]": np.degrees(m.angles[:, 0])})
    yield of("x y yaw_deg", t | xy | {"yaw_deg": np.degrees(m.angles[:, 0])})
    compass = np.degrees(0.5 * np.pi - m.angles[:, 0]) % 360
    yield of("a compass heading", t | xy | {"heading": compass}, answers={"heading": "compass"})
    yield of(
        "a compass heading [deg]",
        t | {"east": xy["x"], "north": xy["y"]} | {"heading [deg]": compass},
        answers={"position": "east, north", "heading": "compass"},
    )
    yield of(
        "a compass heading in rad",
        t | xy | {"heading": np.radians(compass)},
        answers={"heading": "compass", "angle_unit": "rad"},
    )
    yield of("a bearing", t | xy | {"bearing_deg": compass}, answers={"heading": "compass"})
    yield of(
        "a heading that counts as yaw",
        t | xy | {"heading": np.degrees(m.angles[:, 0])},
        answers={"heading": "counterclockwise", "angle_unit": "deg"},
    )
    yield of(
        "a yaw that counts clockwise",
        t | xy | {"yaw": np.degrees(-m.angles[:, 0])},
        answers={"heading": "clockwise", "angle_unit": "deg"},
    )
    small = drive(0.05)
    yield of(
        "small angles",
        {"t": small.t, "x": small.p[:, 0], "y": small.p[:, 1], "theta": small.angles[:, 0]},
        small,
        answers=rad,
    )
    yield of(
        "small angles in degrees",
        {"t": small.t, "x": small.p[:, 0], "y": small.p[:, 1], "theta": np.degrees(small.angles[:, 0])},
        small,
        answers={"angle_unit": "deg"},
    )
    wrapped = np.angle(np.exp(1j * turning.angles[:, 0]))
    yield of(
        "angles that wrap",
        {"t": turning.t, "x": turning.p[:, 0], "y": turning.p[:, 1], "theta": wrapped},
        turning,
        answers=rad,
    )
    yield of(
        "no header",
        t | xy | yaw,
        header=False,
        sep=" ",
        suffix=".txt",
        answers={"orientation": "heading=4", "position": "2, 3", "angle_unit": "rad"},
        must_be=("orientation",),
    )
    yield of(
        "no header, degrees",
        t | xy | {"yaw": np.degrees(m.angles[:, 0])},
        header=False,
        answers={"orientation": "heading=4", "position": "2, 3", "angle_unit": "deg"},
        must_be=("orientation",),
    )
    yield of(
        "no header, a path in space",
        {"t": m.t} | xyz(flat),
        flat,
        header=False,
        answers={"orientation": "none", "position": "2, 3, 4"},
        must_be=("position",),
    )
    turned = np.degrees(turning.angles[:, 0]) % 360
    around = {"t": turning.t, "x": turning.p[:, 0], "y": turning.p[:, 1]}
    yield of("degrees that wrap", around | {"yaw": turned}, turning, answers={"angle_unit": "deg"})
    spun = drive(9.0)
    yield of(
        "radians that do not wrap",
        {"t": spun.t, "yaw": spun.angles[:, 0]},
        Motion(spun.t, 0 * spun.p, spun.R),
        answers=rad,
        must_be=("angle_unit",),
    )
    yield of("east north", t | {"east": xy["x"], "north": xy["y"]} | yaw, answers=rad)
    yield of(
        "east north up",
        t | {"east [m]": m.p[:, 0], "north [m]": m.p[:, 1], "up [m]": m.p[:, 2]} | {"yaw [rad]": m.angles[:, 0]},
    )
    down = Motion(m.t, np.stack([m.p[:, 1], m.p[:, 0], -m.p[:, 2]], axis=-1), turned_down(m))
    yield of(
        "north east down, a heading",
        t | {"north": down.p[:, 0], "east": down.p[:, 1], "down": down.p[:, 2]} | {"heading [deg]": compass},
        down,
        answers={"heading": "counterclockwise"},
    )
    yield of("pose.x", {"time": m.t, "pose.x": xy["x"], "pose.y": xy["y"], "pose.theta": yaw["theta"]}, answers=rad)
    yield of("with speeds", t | xy | yaw | {"v": np.full(N, 1.5), "omega": np.gradient(yaw["theta"], m.t)}, answers=rad)
    yield of("feet", t | {"x_ft": xy["x"] / 0.3048, "y_ft": xy["y"] / 0.3048} | yaw, answers=rad)
    yield of(
        "millimetres and ticks", {"time_ms": m.t * 1e3, "x_mm": xy["x"] * 1e3, "y_mm": xy["y"] * 1e3} | yaw, answers=rad
    )
    yield of("a row of units", t | xy | {"theta": np.degrees(yaw["theta"])}, units=("s", "m", "m", "deg"))
    yield of("no time", xy | yaw, answers=rad | {"rate": "20"}, must_be=("rate",))
    yield of("yaw alone", t | {"yaw": m.angles[:, 0]}, Motion(m.t, 0 * m.p, m.R), answers=rad)
    yield of("yaw alone in degrees", t | {"yaw_deg": np.degrees(m.angles[:, 0])}, Motion(m.t, 0 * m.p, m.R))
    yield of("x y z yaw", t | xyz(m) | {"yaw": m.angles[:, 0]}, answers=rad)
