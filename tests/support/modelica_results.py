"""Results of Modelica tools for tests: a double pendulum in every layout, with each trap of the format.

The pendulum turns about z of the world: two revolute joints, a bar on each, and what a tool stores of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.io import savemat

L1, L2 = 0.8, 0.5


def turn_z(angle: np.ndarray) -> np.ndarray:
    """Return matrices (n, 3, 3) of the world into what is turned about z."""
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack([np.stack([c, s, zero], -1), np.stack([-s, c, zero], -1), np.stack([zero, zero, one], -1)], 1)


@dataclass
class Variables:
    """Variables by name: constant, or varying over the times (n,)."""

    times: np.ndarray
    values: dict[str, np.ndarray | float] = field(default_factory=dict)
    aliases: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Names that stand for others, with a sign."""
    descriptions: dict[str, str] = field(default_factory=dict)
    """What is said of some variables, their units in brackets at the end."""

    def add_vector(self, name: str, values) -> None:
        for i in range(3):
            column = np.asarray(values)[..., i]
            self.values[f"{name}[{i + 1}]"] = column if column.ndim else float(column)

    def add_frame(self, name: str, T, r, w=None) -> None:
        T = np.asarray(T)
        for i in range(3):
            for j in range(3):
                column = T[..., i, j]
                self.values[f"{name}.R.T[{i + 1},{j + 1}]"] = column if column.ndim else float(column)
        self.add_vector(f"{name}.r_0", r)
        if w is not None:
            self.add_vector(f"{name}.R.w", w)

    def alias_frame(self, name: str, of: str) -> None:
        for key in [key for key in self.values if key.startswith((f"{of}.R.", f"{of}.r_0"))]:
            self.aliases[name + key[len(of) :]] = (key, 1.0)


def pendulum(n: int = 101) -> Variables:
    """Return the double pendulum; at 0.5 s an event stands twice."""
    t = np.sort(np.append(np.linspace(0.0, 2.0, n), 0.5))
    a, b = 0.7 * np.sin(2.0 * t), 1.1 * np.sin(3.0 * t + 0.4)
    da, db = 1.4 * np.cos(2.0 * t), 3.3 * np.cos(3.0 * t + 0.4)
    zero = np.zeros_like(t)
    T1, T2 = turn_z(a), turn_z(a + b)
    w1, w2 = np.stack([zero, zero, da], -1), np.stack([zero, zero, da + db], -1)
    tip1 = L1 * T1[:, 0]
    tip2 = tip1 + L2 * T2[:, 0]
    made = Variables(t)
    made.values["J"] = 0.25
    made.add_frame("world.frame_b", np.eye(3), np.zeros(3), np.zeros(3))
    made.alias_frame("revolute1.frame_a", "world.frame_b")
    made.add_frame("revolute1.frame_b", T1, np.zeros((len(t), 3)), w1)
    made.alias_frame("boxBody1.frame_a", "revolute1.frame_b")
    made.add_frame("boxBody1.frame_b", T1, tip1, w1)
    made.alias_frame("revolute2.frame_a", "boxBody1.frame_b")
    made.add_frame("revolute2.frame_b", T2, tip1, w2)
    made.add_frame("boxBody2.frame_b", T2, tip2, w2)
    made.add_frame("stand.frame_a", turn_z(np.array([0.3]))[0], np.array([0.0, 0.0, -1.0]), np.zeros(3))
    made.values["revolute1.phi"], made.values["revolute1.w"] = a, da
    made.aliases["revolute1.flange.phi"] = ("revolute1.phi", 1.0)
    made.aliases["revolute1.minus"] = ("revolute1.phi", -1.0)
    for name, T in (("boxBody1", T1), ("boxBody2", T2)):
        force = np.stack([10.0 + np.sin(t), zero, 2.0 * t], -1)
        made.add_vector(f"{name}.frame_a.f", force)
        made.add_vector(f"{name}.frame_a.t", 0.1 * force @ T[0])
    return made


FORMS = {"box": 101, "sphere": 102, "cylinder": 103, "cone": 104, "pipe": 105, "spring": 111}


def add_dymola_shape(made: Variables, name: str, kind: str, T, r, size, extra: float = 0.0) -> None:
    """Add a shape as Dymola stores it: directions of length and width, where it begins, and its size."""
    made.values[f"{name}.Form"] = (987_000 + FORMS.get(kind, 199)) * 1e20
    T = np.asarray(T)
    made.add_vector(f"{name}.rxvisobj", T[..., 0, :])
    made.add_vector(f"{name}.ryvisobj", T[..., 1, :])
    made.add_vector(f"{name}.rvisobj", r)
    made.add_vector(f"{name}.size", size)
    made.values[f"{name}.Extra"] = extra
    made.values[f"{name}.Material"] = 255.0


def write(
    path: Path,
    made: Variables,
    *,
    layout: str = "binTrans",
    dtype=np.float64,
    has_blanks: bool = False,
    time_name: str = "time",
) -> Path:
    """Write a result of version 1.1, as OpenModelica (float64) or Dymola (float32, with blanks) does."""
    names, rows, constants, columns = [time_name], [(0, 1, 0, -1)], [made.times[[0, -1]]], [made.times]
    places: dict[str, tuple[int, int]] = {}
    for name, value in made.values.items():
        is_constant = np.ndim(value) == 0
        table = constants if is_constant else columns
        table.append(np.full(2, value) if is_constant else np.asarray(value))
        places[name] = (1 if is_constant else 2, len(table))
        names.append(name)
        rows.append((*places[name], 0, 0 if is_constant else -1))
    for name, (of, sign) in made.aliases.items():
        table, column = places[of]
        names.append(name)
        rows.append((table, int(sign) * column, 0, -1))
    texts = ["Simulation time [s]", *(made.descriptions.get(name, "") for name in names[1:])]
    if has_blanks:
        names = [name.replace(",", ", ") for name in names]
    matrices = {
        "Aclass": characters(["Atrajectory", "1.1", "", layout]),
        "name": characters(names),
        "description": characters(texts),
        "dataInfo": np.array(rows, dtype=np.int32),
        "data_1": np.stack(constants, axis=1).astype(dtype),
        "data_2": np.stack(columns, axis=1).astype(dtype),
    }
    if layout == "binTrans":
        matrices = {key: value if key == "Aclass" else value.T for key, value in matrices.items()}
    save(path, matrices)
    return path


def write_as_plotted(path: Path, made: Variables, *, layout: str = "binNormal") -> Path:
    """Write a result of version 1.0: all variables in one table."""
    n = len(made.times)
    columns = {"Time": made.times} | {key: np.broadcast_to(value, n) for key, value in made.values.items()}
    columns |= {name: sign * columns[of] for name, (of, sign) in made.aliases.items()}
    names, data = characters(list(columns)), np.stack(list(columns.values()), axis=1)
    if layout == "binTrans":
        names, data = names.T, data.T
    save(path, {"Aclass": characters(["Atrajectory", "1.0", "", layout]), "names": names, "data": data})
    return path


def characters(texts: list[str]) -> np.ndarray:
    """Return a matrix of characters, one text in a row."""
    width = max(map(len, texts), default=1)
    return np.array([list(text.ljust(width)) for text in texts], dtype="U1")


def save(path: Path, matrices: dict[str, np.ndarray]) -> None:
    """Write matrices; texts come out as matrices of characters, row by row."""
    with path.open("wb") as file:
        for key, value in matrices.items():
            if value.dtype.kind == "U":
                file.write(_text_matrix(key, value))
            else:
                savemat(file, {key: value}, format="4", appendmat=False)


def _text_matrix(key: str, value: np.ndarray) -> bytes:
    """Return a text matrix as tools write it: bytes (MOPT 51), column by column."""
    data = value.T.tobytes().decode("utf-32-le").encode("latin-1")
    head = np.array([51, *value.shape, 0, len(key) + 1], dtype="<i4").tobytes()
    return head + key.encode() + b"\0" + data


def visual(shapes: list[str]) -> str:
    """Return OpenModelica's file of shapes."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n<visualization>\n' + "\n".join(shapes) + "\n</visualization>\n"


def shape(
    name: str,
    kind: str,
    frame: str,
    *,
    r_shape=(0.0, 0.0, 0.0),
    along=(1.0, 0.0, 0.0),
    aside=(0.0, 1.0, 0.0),
    size=(0.5, 0.1, 0.2),
    color=(200, 100, 0),
) -> str:
    """Return one shape on a connector, as OpenModelica writes it."""
    T = "".join(f"<cref>{frame}.R.T[{i},{j}]</cref>" for i in (1, 2, 3) for j in (1, 2, 3))
    r = "".join(f"<cref>{frame}.r_0[{i}]</cref>" for i in (1, 2, 3))

    def numbers(values) -> str:
        return "".join(f"<exp>{value!r}</exp>" for value in values)

    parts = "".join(
        f"<{key}>{numbers([value])}</{key}>" for key, value in zip(("length", "width", "height"), size, strict=True)
    )
    return (
        f"<shape><ident>{name}</ident><type>{kind}</type><T>{T}</T><r>{r}</r><r_shape>{numbers(r_shape)}</r_shape>"
        f"<lengthDir>{numbers(along)}</lengthDir><widthDir>{numbers(aside)}</widthDir>{parts}"
        f"<extra><exp>0.0</exp></extra><color>{numbers(map(float, color))}</color>"
        f"<specCoeff><exp>{math.sqrt(0.49)}</exp></specCoeff></shape>"
    )
