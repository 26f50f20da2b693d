"""Trajectories of one pose a line, as TUM and many others write them, in every way of writing numbers and names."""

# ruff: noqa: C901, E501 - one line for each variant

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tests.imports.motions import Motion, N, Variant, comma, fortran, pose, quat, text, tumble, walk, with_holes, xyz


def tum() -> Iterator[Variant]:
    m, wild = walk(), tumble()
    plain = pose(m, {"timestamp": m.t + 1.3e9}, names="tx ty tz")

    def of(name: str, content: str | bytes, truth: Motion = m, **more: object) -> Variant:
        data = content if isinstance(content, bytes) else content.encode()
        return Variant("TUM", name, data, truth, **more)  # type: ignore[arg-type]

    txt = {"suffix": ".txt"}
    precise = lambda x: f"{x:.16g}"  # noqa: E731
    yield of("with its comment", text(plain, " ", comment="# ", number=precise), **txt)
    yield of("without a header", text(plain, " ", header=False, number=precise), **txt)
    yield of(".tum", text(plain, " ", header=False, number=precise), suffix=".tum")
    yield of(".tum that tumbles", text(pose(wild), " ", header=False), wild, suffix=".tum")
    yield of("commas, no header", text(plain, header=False, number=precise))
    for motion, what in ((m, "small turns"), (wild, "large turns")):
        first = {"t": motion.t} | xyz(motion) | quat(motion, "qw qx qy qz")
        for suffix in (".txt", ".csv", ".dat"):
            sep = "," if suffix == ".csv" else " "
            yield of(
                f"scalar first, no header, {what}, {suffix}", text(first, sep, header=False), motion,
                answers={"quaternion": "wxyz"}, suffix=suffix, must_be=("quaternion",),
            )  # fmt: skip
            last = {"t": motion.t} | xyz(motion) | quat(motion)
            yield of(
                f"scalar last, no header, {what}, {suffix}", text(last, sep, header=False), motion,
                answers={"quaternion": "xyzw"}, suffix=suffix, must_be=("quaternion",),
            )  # fmt: skip
    before_position = {"t": m.t} | quat(m, "qw qx qy qz") | xyz(m)
    yield of(
        "quaternion before the position, no header", text(before_position, header=False), answers={"quaternion": "wxyz"}
    )
    for names in ("qw qx qy qz", "q_w q_x q_y q_z", "q0 q1 q2 q3", "quat.w quat.x quat.y quat.z"):
        yield of(f"header {names}", text({"t": m.t} | xyz(m) | quat(m, names)), answers={"quaternion": "wxyz"})
    ros = {"pose.position.": "x y z", "pose.orientation.": "x y z w"}
    parts = xyz(m, " ".join(f"pose.position.{c}" for c in "xyz")) | dict(
        zip((f"pose.orientation.{c}" for c in ros["pose.orientation."].split()), m.q.T, strict=True)
    )
    yield of(
        "as ROS names it",
        text({"header.stamp.secs": np.floor(m.t), "header.stamp.nsecs": np.round((m.t % 1) * 1e9)} | parts),
    )
    for unit, scale in (
        ("mm", 1e3),
        ("cm", 1e2),
        ("ft", 1 / 0.3048),
        ("in", 1 / 0.0254),
        ("feet", 1 / 0.3048),
        ("inches", 1 / 0.0254),
        ("km", 1e-3),
    ):
        named = xyz(m, " ".join(f"{c}_[{unit}]" for c in "xyz"), scale)
        named = {key.replace("_", " "): value for key, value in named.items()}
        yield of(f"lengths in {unit}, named", text({"t": m.t} | named | quat(m)))
    yield of("lengths x_m", text({"t_s": m.t} | xyz(m, "x_m y_m z_m") | quat(m)))
    for unit, scale in (("mm", 1e3), ("cm", 1e2), ("ft", 1 / 0.3048), ("in", 1 / 0.0254)):
        yield of(
            f"lengths in {unit}, not named",
            text({"t": m.t} | xyz(m, scale=scale) | quat(m)),
            answers={"position_unit": unit},
            must_be=("position_unit",),
        )
    for unit, scale in (("ms", 1e3), ("us", 1e6), ("ns", 1e9), ("min", 1 / 60)):
        yield of(f"time in {unit}, named", text(pose(m, {f"time [{unit}]": m.t * scale})))
        yield of(f"time in {unit}, not named", text(pose(m, {"t": m.t * scale})), answers={"time_unit": unit})
    yield of("minutes", text(pose(m, {"minutes": m.t / 60})))
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        yield of(f"{unit} since 1970", text(pose(m, {"time": (m.t + 1.7e9) * scale}), number=precise))
    yield from _stamps(of, m)
    yield from _writings(of, m)
    for words in ("NaN", "nan", "NA", "N/A", "#N/A", "1.#QNAN", "-1.#IND", "-nan(ind)", "null", "None", "", "-", "---", "inf", "<NA>", "#VALUE!", "n.a.", "missing", "lost track", "--", "off", "ERR"):  # fmt: skip
        yield of(f'no number written "{words}"', with_holes(text(pose(m)), words))
    yield of(
        "poses of the parent in the frame",
        text(pose(m.inverse)),
        answers={"direction": "parent in frame"},
        must_be=("direction",),
    )
    conjugate = dict(zip(["qx", "qy", "qz", "qw"], (m.q * [-1, -1, -1, 1]).T, strict=True))
    yield of(
        "quaternions of the other way",
        text({"t": m.t} | xyz(m) | conjugate),
        answers={"rotation": "parent to frame"},
        must_be=("rotation",),
    )
    yield of("world_to_camera", text(pose(m.inverse, {"t_w2c": m.t})), answers={"direction": "parent in frame"})
    for name in ("frame", "index", "sample", "#", "row", ""):
        rows = {name: np.arange(N, dtype=float)} | xyz(m) | quat(m)
        yield of(f'row numbers called "{name}"', text(rows), answers={"rate": "20"}, must_be=("rate",))
    yield of(
        "row numbers from 1, no header",
        text({"n": np.arange(1.0, N + 1)} | xyz(m) | quat(m), header=False),
        answers={"rate": "20"},
        must_be=("rate",),
    )
    yield of("row numbers beside the time", text({"frame": np.arange(N, dtype=float)} | pose(m)))
    yield of(
        "row numbers called t",
        text({"t": np.arange(N, dtype=float)} | xyz(m) | quat(m)),
        answers={"time": "none", "rate": "20"},
        must_be=("time_unit",),
    )
    yield of("no time", text(xyz(m) | quat(m)), answers={"rate": "20"}, must_be=("rate",))
    yield of(
        "two columns x, the first right",
        text(pose(m)).replace("\n", ",9\n").replace("qw,9", "qw,x", 1),
        must_be=("position",),
    )
    yield of(
        "two columns x, the second right", _second_right(m), answers={"position": "x (2), y, z"}, must_be=("position",)
    )
    yield of("two frames in one file", text(pose(m) | {f"b_{c}": v for c, v in (xyz(wild) | quat(wild)).items()}))


def _second_right(m: Motion) -> str:
    columns = {"t": m.t, "xx": np.full(N, 9.0)} | xyz(m) | quat(m)
    return text(columns).replace("xx", "x", 1)


def _stamps(of: Callable[..., Variant], m: Motion) -> Iterator[Variant]:
    seconds = 1_763_700_000.0 + m.t
    stamps = (np.datetime64(0, "ms") + np.round(seconds * 1e3).astype("m8[ms]")).astype("M8[ms]")
    iso = [str(stamp) for stamp in stamps]
    european = [f"{s[8:10]}.{s[5:7]}.{s[:4]} {s[11:]}" for s in iso]
    body = xyz(m) | quat(m)
    rows = text(body, header=False).strip().split("\n")
    names = ",".join(body)
    yield of("ISO stamps", f"time,{names}\n" + "".join(f"{a}Z,{b}\n" for a, b in zip(iso, rows, strict=True)))
    yield of("DD.MM.YYYY", f"time,{names}\n" + "".join(f"{a},{b}\n" for a, b in zip(european, rows, strict=True)))
    apart = [s.replace(" ", ",") for s in european]
    yield of(
        "DD.MM.YYYY and the time apart",
        f"Datum,Zeit,{names}\n" + "".join(f"{a},{b}\n" for a, b in zip(apart, rows, strict=True)),
    )
    tabs = text(body, "\t", header=False, number=comma).strip().split("\n")
    german = [s.replace(".250", ",250") for s in european]
    head = "Zeit\t" + "\t".join(body) + "\n"
    yield of(
        "DD.MM.YYYY and decimal commas",
        head + "".join(f"{a}\t{b}\n" for a, b in zip(german, tabs, strict=True)),
        suffix=".txt",
    )


def _writings(of: Callable[..., Variant], m: Motion) -> Iterator[Variant]:
    columns = pose(m)
    yield of("decimal commas with tabs", text(columns, "\t", number=comma), suffix=".txt")
    yield of("decimal commas with tabs, no header", text(columns, "\t", header=False, number=comma), suffix=".txt")
    yield of("decimal commas with semicolons", text(columns, ";", number=comma))
    yield of("decimal commas with blanks", text(columns, " ", number=comma), suffix=".txt")
    yield of("Fortran exponents", text(columns, " ", number=fortran), suffix=".dat")
    yield of("Fortran exponents in small letters", text(columns, number=lambda x: fortran(x).lower()))
    for name in ("utf-16", "utf-16-le", "utf-16-be"):
        mark = b"" if name == "utf-16" else "\ufeff".encode(name)
        yield of(name, mark + text(columns, "\t").encode(name))
        yield of(
            f"{name} without a mark" if name != "utf-16" else "utf-16, Windows lines",
            text(columns, end="\r\n").encode(name),
        )
    yield of("UTF-8 with a mark and Windows lines", b"\xef\xbb\xbf" + text(columns, end="\r\n").encode())
    yield of("lines that end in commas", text(columns).replace("\n", ",\n"))
    yield of("a header without the last comma", text(columns).replace("\n", ",\n").replace("qw,\n", "qw\n", 1))
    lines = "Sensor log v2\nSerial: 1234\nOperator: A. B.\n\n"
    yield of("a preamble", text(columns, before=lines))
    yield of("a preamble, no header", text(columns, header=False, before=lines))
    yield of("a preamble of cells", text(columns, before="Version,1.2,Rate,20\nName,walk"))
    yield of("a preamble of percent signs", text(columns, " ", before="% made by hand", comment="% "), suffix=".txt")
    units = ("s", "mm", "mm", "mm", "", "", "", "")
    row = pose(m, scale=1e3)  # type: ignore[arg-type]
    yield of("a row of units", text(row, units=units))
    yield of("a row of units in brackets", text(row, units=tuple(f"[{u}]" if u else "" for u in units)))
    yield of("a row of units with dashes", text(row, units=("s", "mm", "mm", "mm", "-", "-", "-", "-")))
    yield of("a row of units with ones", text(row, units=("[s]", "[mm]", "[mm]", "[mm]", "1", "1", "1", "1")))
    yield of("a preamble and a row of units", text(row, units=units, before=lines))
    yield of("a last line cut short", text(columns) + "3.0,0.5")
    yield of(
        "a last line cut short, no header",
        text(columns, " ", header=False) + "3.0 0.5 0.1",
        suffix=".txt",
        answers={"quaternion": "xyzw"},
    )
    yield of("a last line of words", text(columns) + "end of file\n")
    yield of("a line drawn below the names", text(columns).replace("\n", "\n---,---,---\n", 1))
    yield of("empty cells below the names", text(columns).replace("\n", "\n,,,,,,,\n", 1))
    yield of("the separator in the first line", text(columns, ";", before="sep=;"))
    yield of("units in a line above", text(pose(m) | xyz(m, scale=1e3), before="Length Units: Millimeters"))  # type: ignore[arg-type]
    yield of("rows that pandas numbers", text({"": np.arange(float(N))} | columns))
    yield of("rows that pandas has numbered twice", text({"Unnamed: 0": np.arange(float(N))} | columns))
    yield of("quoted cells", text({f'"{k}"': v for k, v in columns.items()}, number=lambda x: f'"{x:.10g}"'))
    yield of(
        "units in Latin-1",
        text({"t": m.t} | {f"{k} [µm]": v * 1e6 for k, v in xyz(m).items()} | quat(m)).encode("latin-1"),
    )
