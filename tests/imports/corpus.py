"""Corpus of recordings as other programs write them: a motion that is known, and the many ways files have it."""

# ruff: noqa: C901, E501 - one line for each variant

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from framescope.core import conventions, frames
from framescope.core.transformation_matrices import to_Q

N = 60
STEP_S = 0.05


@dataclass(frozen=True)
class Motion:
    """A motion that is known: times (n,) s, positions (n, 3) m, rotations (n, 3, 3) that take the frame into the parent."""

    t: np.ndarray
    p: np.ndarray
    R: np.ndarray
    angles: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))

    @property
    def q(self) -> np.ndarray:
        """Hamilton's quaternions (n, 4), scalar last."""
        return to_Q(np.swapaxes(self.R, -1, -2))

    @property
    def wxyz(self) -> np.ndarray:
        return self.q[:, [3, 0, 1, 2]]

    @property
    def inverse(self) -> Motion:
        back = np.swapaxes(self.R, -1, -2)
        return Motion(self.t, -np.einsum("nij,nj->ni", back, self.p), back)

    @property
    def rates(self) -> np.ndarray:
        """Angular velocity in the frame (n, 3), rad/s."""
        dR = np.gradient(self.R, self.t, axis=0)
        W = np.swapaxes(self.R, -1, -2) @ dR
        return np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=-1)


def turned(angles: np.ndarray, sequence: str = "ZYX") -> np.ndarray:
    """Rotations (n, 3, 3) into the parent by angles about moving axes, or about fixed ones in small letters."""
    if sequence.islower():
        sequence, angles = conventions.intrinsic_from_extrinsic(sequence, angles)
    return np.swapaxes(np.asarray(frames.axes_rotations(sequence, angles).T), -1, -2)


def walk(size: float = 0.4, sequence: str = "ZYX", n: int = N) -> Motion:
    """A hand-held motion: metres, and turns of up to `size` rad about all axes."""
    t = np.arange(n) * STEP_S
    waves = [np.sin(w * t + k) for k, w in enumerate((1.9, 1.3, 1.6, 0.7, 0.9, 1.1))]
    angles = size * np.stack([waves[0], 0.7 * waves[1], 0.8 * waves[2]], axis=-1)
    p = np.stack([1.2 * waves[3], 0.8 * waves[4], 1.0 + 0.3 * waves[5]], axis=-1)
    return Motion(t, p, turned(angles, sequence), angles)


def tumble() -> Motion:
    """A motion that turns all the way round."""
    t = np.arange(N) * STEP_S
    angles = np.stack([2.4 * t - 0.8, 1.1 * np.sin(1.7 * t + 0.4), 1.9 * t + 0.9], axis=-1)
    return Motion(t, walk().p, turned(angles), angles)


def drive(turn: float = 1.0) -> Motion:
    """A vehicle in the plane, that drives where it points."""
    t = np.arange(N) * STEP_S
    yaw = turn * 0.9 * np.sin(0.9 * t) + 0.3 * turn
    v = 1.5
    steps = v * STEP_S * np.stack([np.cos(yaw), np.sin(yaw)], axis=-1)
    xy = np.concatenate([np.zeros((1, 2)), np.cumsum(0.5 * (steps[1:] + steps[:-1]), axis=0)])
    p = np.concatenate([xy, np.zeros((N, 1))], axis=1)
    zero = np.zeros(N)
    angles = np.stack([yaw, zero, zero], axis=-1)
    return Motion(t, p, turned(angles), angles)


@dataclass(frozen=True)
class Variant:
    """A file: its shape, its name, what is in it, what it means, and the answers that it may need.

    `answers` are decisions with the value that is right where a guess may be wrong; `vectors` are values (n, 3) in SI
    units by form, where it holds no poses.
    """

    shape: str
    name: str
    content: bytes
    truth: Motion
    answers: Mapping[str, str] = field(default_factory=dict)
    suffix: str = ".csv"
    vectors: Mapping[str, np.ndarray] = field(default_factory=dict)
    must_be: tuple[str, ...] = ()
    """Decisions that must not be taken for settled."""

    @property
    def label(self) -> str:
        return f"{self.shape}: {self.name}"

    def write(self, folder: Path) -> Path:
        path = folder / f"recording{self.suffix}"
        path.write_bytes(self.content)
        return path


Columns = dict[str, np.ndarray]


def text(
    columns: Columns,
    sep: str = ",",
    header: bool = True,
    number: Callable[[float], str] = lambda x: f"{x:.10g}",
    before: str = "",
    end: str = "\n",
    units: tuple[str, ...] = (),
    comment: str = "",
) -> str:
    """A table as text."""
    lines = [before.rstrip("\n")] if before else []
    if header:
        lines.append(comment + sep.join(columns))
    if units:
        lines.append(sep.join(units))
    rows = np.stack(list(columns.values()), axis=-1)
    lines += [sep.join(number(x) for x in row) for row in rows.tolist()]
    return end.join(lines) + end


def xyz(m: Motion, names: str = "x y z", scale: float = 1.0) -> Columns:
    return dict(zip(names.split(), (m.p * scale).T, strict=True))


def quat(m: Motion, names: str = "qx qy qz qw") -> Columns:
    q = m.wxyz if names.split(maxsplit=1)[0].endswith(("w", "0", "r")) else m.q
    return dict(zip(names.split(), q.T, strict=True))


def pose(m: Motion, time: Columns | None = None, **kw: str) -> Columns:
    return ({"t": m.t} if time is None else time) | xyz(m, **kw) | quat(m)


def comma(x: float) -> str:
    return f"{x:.10g}".replace(".", ",")


def fortran(x: float) -> str:
    return f"{x:.12E}".replace("E", "D")


# --- TUM


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
    for words in ("NaN", "nan", "NA", "N/A", "#N/A", "1.#QNAN", "-1.#IND", "-nan(ind)", "null", "None", "", "-", "---", "inf", "<NA>", "#VALUE!", "n.a.", "missing"):  # fmt: skip
        yield of(f'no number written "{words}"', _with_holes(text(pose(m)), words))
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


def _with_holes(whole: str, word: str) -> str:
    lines = whole.split("\n")
    for row, column in ((5, 1), (20, 4), (33, 7)):
        cells = lines[row].split(",")
        cells[column] = word
        lines[row] = ",".join(cells)
    return "\n".join(lines)


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
    yield of("a preamble and a row of units", text(row, units=units, before=lines))
    yield of("a last line cut short", text(columns) + "3.0,0.5")
    yield of(
        "a last line cut short, no header",
        text(columns, " ", header=False) + "3.0 0.5 0.1",
        suffix=".txt",
        answers={"quaternion": "xyzw"},
    )
    yield of("a last line of words", text(columns) + "end of file\n")
    yield of("quoted cells", text({f'"{k}"': v for k, v in columns.items()}, number=lambda x: f'"{x:.10g}"'))
    yield of(
        "units in Latin-1",
        text({"t": m.t} | {f"{k} [µm]": v * 1e6 for k, v in xyz(m).items()} | quat(m)).encode("latin-1"),
    )


# --- EuRoC


def euroc() -> Iterator[Variant]:
    m = walk(0.9)
    ns = np.round(m.t * 1e9) + 1.403636579763555584e18
    names = ["#timestamp [ns]", *(f"p_RS_R_{x} [m]" for x in "xyz"), *(f"q_RS_{x} []" for x in "wxyz")]
    base = dict(zip(names, np.column_stack([ns, m.p, m.wxyz]).T, strict=True))
    rest = {f"{k}_RS_R_{x} [m s^-1]": np.sin(m.t) for k in "v" for x in "xyz"}
    rest |= {f"b_{k}_RS_S_{x}": 0.01 * np.cos(m.t) for k in "wa" for x in "xyz"}
    long = lambda x: f"{x:.0f}" if abs(x) > 1e15 else f"{x:.12g}"  # noqa: E731

    def of(name: str, content: str | bytes, **more: object) -> Variant:
        data = content if isinstance(content, bytes) else content.encode()
        return Variant("EuRoC", name, data, m, **more)  # type: ignore[arg-type]

    bare = {k.partition(" [")[0].lstrip("#"): v for k, v in base.items()}
    yield of("as it is", text(base, number=long))
    yield of("with all its columns", text(base | rest, number=long))
    yield of("without units", text(bare, number=long))
    yield of(
        "without a header",
        text(base, header=False, number=long),
        answers={"quaternion": "wxyz"},
        must_be=("quaternion",),
    )
    yield of(
        "with all its columns, without a header",
        text(base | rest, header=False, number=long),
        answers={"quaternion": "wxyz", "position": "2, 3, 4"},
        must_be=("quaternion",),
    )
    yield of("Windows lines", text(base, number=long, end="\r\n"))
    yield of("utf-16", text(base, number=long).encode("utf-16"))
    yield of("a hole", _with_holes(text(base, number=long), "nan"))
    yield of("a last line cut short", text(base, number=long) + "1403636582763555584,1.0")
    yield of("semicolons", text(base, ";", number=long))
    yield of("columns in another order", text({k: bare[k] for k in [*list(bare)[4:], *list(bare)[:4]]}, number=long))
    mm = {k: v * 1e3 if k.startswith("p_") else v for k, v in bare.items()}
    yield of(
        "millimetres, named", text({f"{k} [mm]" if k.startswith("p_") else k: v for k, v in mm.items()}, number=long)
    )
    yield of("a preamble", text(bare, number=long, before="ground truth of a walk\nby hand\n"))


# --- KITTI, and 4x4


def matrices() -> Iterator[Variant]:
    m = tumble()
    T = np.zeros((N, 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = m.R, m.p, 1.0
    rate = {"rate": "20"}
    orders = {"row": T, "column": np.swapaxes(T, -1, -2)}

    def cells(block: np.ndarray, names: list[str] | None = None) -> Columns:
        flat = block.reshape(N, -1)
        return dict(zip(names or [f"c{i}" for i in range(flat.shape[1])], flat.T, strict=True))

    kitti = cells(T[:, :3])
    yield Variant("KITTI", "as it is", text(kitti, " ", header=False).encode(), m, rate, ".txt", must_be=("rate",))
    yield Variant("KITTI", ".kitti", text(kitti, " ", header=False).encode(), m, rate, ".kitti", must_be=("rate",))
    yield Variant("KITTI", "commas", text(kitti, header=False).encode(), m, rate, must_be=("rate",))
    yield Variant("KITTI", "with a time", text({"t": m.t} | kitti, " ", header=False).encode(), m, {}, ".txt")
    yield Variant(
        "KITTI", "exponents", text(kitti, " ", header=False, number=lambda x: f"{x:.9e}").encode(), m, rate, ".txt"
    )
    yield Variant(
        "KITTI",
        "with row numbers",
        text({"n": np.arange(float(N))} | kitti, " ", header=False).encode(),
        m,
        rate,
        ".txt",
        must_be=("rate",),
    )
    yield Variant(
        "KITTI", "a last line cut short", (text(kitti, " ", header=False) + "1 0 0").encode(), m, rate, ".txt"
    )
    inverse = np.linalg.inv(T)
    yield Variant(
        "KITTI",
        "world in the camera",
        text(cells(inverse[:, :3]), " ", header=False).encode(),
        m,
        rate | {"direction": "parent in frame"},
        ".txt",
        must_be=("direction",),
    )
    by_column = np.swapaxes(T[:, :3], -1, -2)
    for time in (True, False):
        stamp = {"t": m.t} if time else {}
        more = {} if time else rate
        timed = "with" if time else "without"
        yield Variant(
            "KITTI",
            f"3x4 column by column, {timed} time",
            text(stamp | cells(by_column), " ", header=False).encode(),
            m,
            more | {"matrix": "column"},
            ".txt",
            must_be=("matrix",),
        )
        yield Variant(
            "KITTI",
            f"3x3 and position, {timed} time",
            text(stamp | cells(m.R) | xyz(m), " ", header=False).encode(),
            m,
            more | {"matrix": "row"},
            ".txt",
            must_be=("matrix",),
        )
        for order, block in orders.items():
            yield Variant(
                "4x4",
                f"{order} by {order}, {timed} time, no header",
                text(stamp | cells(block), header=False).encode(),
                m,
                more,
            )
            yield Variant(
                "4x4",
                f"{order} by {order}, {timed} time, blanks",
                text(stamp | cells(block), " ", header=False).encode(),
                m,
                more,
                ".txt",
            )
            for first, letter in ((0, "T"), (1, "T"), (0, "m"), (0, "T_")):
                names = [f"{letter}{i}{j}" for i in range(first, first + 4) for j in range(first, first + 4)]
                yield Variant(
                    "4x4",
                    f"{order} by {order}, {timed} time, {names[0]}..",
                    text(stamp | cells(block, names)).encode(),
                    m,
                    more,
                )
    names = [f"T_{i}_{j}" for i in range(4) for j in range(4)]
    yield Variant("4x4", "T_0_0", text({"time": m.t} | cells(T, names), ";").encode(), m)
    yield Variant(
        "4x4",
        "T[0][0]",
        text({"time": m.t} | cells(T, [f"T[{i}][{j}]" for i in range(4) for j in range(4)])).encode(),
        m,
    )
    upper = [f"T{i}{j}" for i in range(3) for j in range(4)]
    yield Variant("4x4", "T00 to T23", text({"time": m.t} | cells(T[:, :3], upper)).encode(), m)
    r = [f"r{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
    yield Variant("4x4", "r11 and x", text({"time": m.t} | xyz(m) | cells(m.R, r)).encode(), m)
    yield Variant(
        "4x4",
        "r11 the other way",
        text({"time": m.t} | xyz(m) | cells(np.swapaxes(m.R, -1, -2), r)).encode(),
        m,
        {"rotation": "parent to frame"},
        must_be=("rotation",),
    )
    yield Variant(
        "4x4",
        "decimal commas with tabs",
        text({"t": m.t} | cells(T, [*upper, "T30", "T31", "T32", "T33"]), "\t", number=comma).encode(),
        m,
        {},
        ".txt",
    )
    mm = T.copy()
    mm[:, :3, 3] *= 1e3
    yield Variant(
        "4x4",
        "millimetres",
        text({"t": m.t} | cells(mm), header=False).encode(),
        m,
        {"position_unit": "mm"},
        must_be=("position_unit",),
    )


# --- Inertial units


def inertial() -> Iterator[Variant]:
    m = tumble()
    w = m.rates
    f = np.einsum("nji,nj->ni", m.R, np.gradient(np.gradient(m.p, m.t, axis=0), m.t, axis=0) * 0.3 + [0, 0, 9.81])
    truth = {"angular velocity": w, "acceleration": f}
    deg, g = np.degrees(w), f / 9.80665

    def of(name: str, columns: Columns, vectors: Mapping[str, np.ndarray] = truth, **more: object) -> Variant:
        sep = str(more.pop("sep", ","))
        units = more.pop("units", ())
        return Variant("IMU", name, text(columns, sep, units=units).encode(), m, vectors=vectors, **more)  # type: ignore[arg-type]

    def three(names: str, values: np.ndarray) -> Columns:
        return dict(zip(names.split("|"), values.T, strict=True))

    t = {"t": m.t}
    gyro, acc = three("gx|gy|gz", w), three("ax|ay|az", f)
    yield of("gx ax", t | gyro | acc, answers={"angular_velocity_unit": "rad/s"}, must_be=("angular_velocity_unit",))
    yield of("gx ax in deg/s", t | three("gx|gy|gz", deg) | acc, answers={"angular_velocity_unit": "deg/s"})
    yield of(
        "gx ax, small and in deg/s",
        t | three("gx|gy|gz", 0.05 * deg) | acc,
        {"angular velocity": 0.05 * w, "acceleration": f},
        answers={"angular_velocity_unit": "deg/s"},
        must_be=("angular_velocity_unit",),
    )
    yield of(
        "ax in g", t | gyro | three("ax|ay|az", g), answers={"acceleration_unit": "g", "angular_velocity_unit": "rad/s"}
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
    yield of("only gyro", t | three("gyro_x_rad/s|gyro_y_rad/s|gyro_z_rad/s", w), {"angular velocity": w})


# --- Odometry in the plane


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


# --- Motion capture


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


def corpus() -> tuple[Variant, ...]:
    """All variants, each with a name of its own."""
    return (*tum(), *euroc(), *matrices(), *inertial(), *odometry(), *capture())
