"""Motions that are known, and tables of them as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from framescope.core import conventions, frames
from framescope.core.transformation_matrices import to_Q

N = 60
STEP_S = 0.05


@dataclass(frozen=True)
class Motion:
    """A motion that is known: times (n,) s, positions (n, 3) m, rotations (n, 3, 3) from the frame into the parent."""

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


def turned_down(m: Motion) -> np.ndarray:
    """Rotations of a vehicle in the plane seen from where x is north, y is east and z is down, its z down as well."""
    return turned(np.stack([0.5 * np.pi - m.angles[:, 0], 0 * m.t, 0 * m.t], axis=-1))


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
    file: str = ""
    """The name of the file, where it says something."""
    slack: float = 0.0
    """How far its numbers may be off, by the way they are written: m, and of the duration."""
    only_doubtful: bool = False
    """Whether no answer makes it right, and to be said to be doubtful is all there is."""

    @property
    def label(self) -> str:
        return f"{self.shape}: {self.name}"

    def write(self, folder: Path) -> Path:
        path = folder / (self.file or f"recording{self.suffix}")
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


def with_holes(whole: str, word: str) -> str:
    """A text with cells that say that there is no number."""
    lines = whole.split("\n")
    for row, column in ((5, 1), (20, 4), (33, 7)):
        cells = lines[row].split(",")
        cells[column] = word
        lines[row] = ",".join(cells)
    return "\n".join(lines)
