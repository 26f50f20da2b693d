"""Pairs of texts with a planted difference of convention, and the judgement of an answer, by SciPy and NumPy alone.

No rotation formula of Framescope is used, so that an error of the core cannot hide in the expected answer. A relation
that an answer names is true if its words, carried out here, take fresh poses of the same difference to the right
numbers of the second side (`is_true`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

NOISE_DEG, NOISE_M = 0.3, 0.002
"""Standard deviation of the noise of each axis, degrees and m."""

SEQUENCES = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"]
FORMS = ["xyzw", "wxyz", "rotvec rad", "rpy deg", "rpy rad", "ZYX deg", "matrix rows"]
UNITY = np.array([[0.0, -1, 0], [0, 0, 1], [1, 0, 0]])
"""Numbers in Unity's axes (x right, y up, z forward) of numbers in x forward, y left, z up."""
OPTICAL = np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
"""Columns: axes of a camera (x right, y down, z forward) in a body (x forward, y left, z up)."""
NED_ENU = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])
FLIP_YZ, FLIP_Y = np.diag([1.0, -1, -1]), np.diag([1.0, -1, 1])
EYE = np.eye(3)

Array = np.ndarray
Pose = tuple[Array, Array]
"""Rotation matrix (3, 3), frame into parent, and position of the frame in the parent, m."""


def inverted(R: Array, p: Array) -> Pose:
    """Return the pose of the parent in the frame."""
    return R.T, -R.T @ p


def transposed(R: Array, p: Array) -> Pose:
    """Return the pose with the rotation turned round and the position kept."""
    return R.T, p


def changed(left: Array, right: Array) -> Callable[[Array, Array], Pose]:
    """Return the change of axes ``left @ R @ right`` of a pose; the position follows the parent."""
    return lambda R, p: (left @ R @ right, left @ p)


def chained(*changes: Callable[[Array, Array], Pose]) -> Callable[[Array, Array], Pose]:
    """Return several changes as one, the first of them first."""

    def change(R: Array, p: Array) -> Pose:
        for each in changes:
            R, p = each(R, p)
        return R, p

    return change


def unchanged(R: Array, p: Array) -> Pose:
    """Return the pose."""
    return R, p


@dataclass(frozen=True)
class Side:
    """A convention: what is done to the pose, the form of its orientation, and the layout of the text."""

    form: str
    change: Callable[[Array, Array], Pose] = unchanged
    per_metre: float = 1.0
    layout: str = "row"

    def numbers(self, R: Array, p: Array) -> tuple[Array, Array]:
        """Return the numbers of orientation and position."""
        R, p = self.change(R, p)
        return write(self.form, R), p * self.per_metre

    def text(self, R: Array, p: Array, digits: int, has_position: bool) -> str:
        """Return the text of a pose, or of an orientation alone unless a maker's text always has a position."""
        angles, position = self.numbers(R, p)
        places = [f"{x:.{digits}f}" for x in position] if has_position or self.layout.startswith("maker:") else []
        return laid_out(self.layout, self.form, [f"{x:.{digits}f}" for x in angles], places)


def write(form: str, R: Array) -> Array:
    """Return the numbers of a rotation matrix in a form."""
    r = Rotation.from_matrix(R)
    kind, _, unit = form.partition(" ")
    if kind in ("xyzw", "jpl"):
        return r.as_quat()
    if kind == "wxyz":
        return np.roll(r.as_quat(), 1)
    if kind == "rotvec":
        return r.as_rotvec(degrees=unit == "deg")
    if kind == "rotator":
        return write_rotator(R)
    if kind == "matrix":
        return (R if unit == "rows" else R.T).ravel()
    return r.as_euler("xyz" if kind == "rpy" else kind, degrees=unit == "deg")


def read(form: str, numbers: Array) -> Array:
    """Return the rotation matrix of numbers in a form."""
    kind, _, unit = form.partition(" ")
    if kind in ("xyzw", "jpl"):
        return Rotation.from_quat(numbers).as_matrix()
    if kind == "wxyz":
        return Rotation.from_quat(np.roll(numbers, -1)).as_matrix()
    if kind == "rotvec":
        return Rotation.from_rotvec(numbers, degrees=unit == "deg").as_matrix()
    if kind == "rotator":
        return read_rotator(numbers)
    if kind == "matrix":
        M = np.asarray(numbers).reshape(3, 3)
        return M if unit == "rows" else M.T
    return Rotation.from_euler("xyz" if kind == "rpy" else kind, numbers, degrees=unit == "deg").as_matrix()


def write_rotator(R: Array) -> Array:
    """Return pitch, yaw, roll of Unreal, degrees, of a rotation matrix in Unreal's axes.

    Its transpose has the rows of ``FRotationTranslationMatrix``: X = (CP CY, CP SY, SP), Y.z = -SR CP, Z.z = CR CP.
    """
    X, Y, Z = R.T
    return np.degrees([np.arctan2(X[2], np.hypot(X[0], X[1])), np.arctan2(X[1], X[0]), np.arctan2(-Y[2], Z[2])])


def read_rotator(numbers: Array) -> Array:
    """Return the rotation matrix in Unreal's axes, from the rows of ``FRotationTranslationMatrix``."""
    (SP, SY, SR), (CP, CY, CR) = np.sin(np.radians(numbers)), np.cos(np.radians(numbers))
    return np.array(
        [
            [CP * CY, CP * SY, SP],
            [SR * SP * CY - CR * SY, SR * SP * SY + CR * CY, -SR * CP],
            [-(CR * SP * CY + SR * SY), CY * SR - CR * SP * SY, CR * CP],
        ]
    ).T


def laid_out(layout: str, form: str, angles: list[str], places: list[str]) -> str:
    """Return the text of numbers in one of the layouts in which people paste them."""
    if form.startswith("matrix"):
        rows = [angles[:3], angles[3:6], angles[6:]]
        if places and form.endswith("rows"):
            rows = [[*row, place] for row, place in zip(rows, places, strict=True)] + [["0.0", "0.0", "0.0", "1.0"]]
        elif places:
            rows = [[*row, "0.0"] for row in rows] + [[*places, "1.0"]]
        if layout == "brackets":
            return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"
        return "\n".join(" ".join(row) for row in rows)
    if layout == "brackets":
        return "[" + ", ".join([*places, *angles]) + "]"
    if layout == "URDF":
        return f'<origin xyz="{" ".join(places)}" rpy="{" ".join(angles)}"/>'
    if layout == "ROS":
        xyzw = "\n".join(f"  {name}: {x}" for name, x in zip("xyzw", angles, strict=True))
        xyz = "\n".join(f"  {name}: {x}" for name, x in zip("xyz", places, strict=False))
        return (f"position:\n{xyz}\n" if places else "") + f"orientation:\n{xyzw}"
    if layout == "UR":
        return "p[" + ", ".join([*places, *angles]) + "]"
    if layout.startswith("maker:"):
        return MAKERS[layout.removeprefix("maker:")].text(angles, places)
    return " ".join([*places, *angles])


@dataclass(frozen=True)
class Maker:
    """A maker's text, with the form and the change of axes that his papers state; its position per metre."""

    template: str
    form: str
    change: Callable[[Array, Array], Pose] = unchanged
    per_metre: float | None = None

    def text(self, angles: list[str], places: list[str]) -> str:
        """Return the text: ``{a}`` to ``{i}`` are numbers of the orientation, ``{X}``, ``{Y}``, ``{Z}`` the place."""
        names = dict(zip("abcdefghi", angles, strict=False)) | dict(zip("XYZ", places, strict=False))
        return re.sub(r"\{(\w)\}", lambda m: names[m[1]], self.template)


_left, _unreal = changed(UNITY, UNITY.T), changed(FLIP_Y, FLIP_Y)
MAKERS = {
    "KUKA": Maker("{X {X}, Y {Y}, Z {Z}, A {a}, B {b}, C {c}}", "ZYX deg", per_metre=1e3),
    "Fanuc": Maker("X: {X} Y: {Y} Z: {Z} W: {a} P: {b} R: {c}", "xyz deg", per_metre=1e3),
    "Kawasaki": Maker("X {X} Y {Y} Z {Z} O {a} A {b} T {c}", "ZYZ deg", per_metre=1e3),
    "Staubli": Maker("Staubli {X}, {Y}, {Z}, {a}, {b}, {c}", "XYZ deg", per_metre=1e3),
    "Motoman": Maker("Motoman {X} {Y} {Z} {a} {b} {c}", "xyz deg", per_metre=1e3),
    "ABB": Maker("[[{X},{Y},{Z}],[{a},{b},{c},{d}],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]", "wxyz", per_metre=1e3),
    "UR": Maker("p[{X}, {Y}, {Z}, {a}, {b}, {c}]", "rotvec rad", per_metre=1.0),
    "UR pendant": Maker("UR pendant RPY {a} {b} {c} deg", "xyz deg"),
    "Kinova": Maker("x: {X} y: {Y} z: {Z} theta_x: {a} theta_y: {b} theta_z: {c}", "xyz deg", per_metre=1.0),
    "Franka": Maker(
        "O_T_EE: [{a}, {b}, {c}, 0, {d}, {e}, {f}, 0, {g}, {h}, {i}, 0, {X}, {Y}, {Z}, 1]",
        "matrix columns",
        per_metre=1.0,
    ),
    "three.js": Maker("Euler { isEuler: true, _x: {a}, _y: {b}, _z: {c}, _order: 'XYZ' }", "XYZ rad"),
    "glTF": Maker('{"rotation": [{a}, {b}, {c}, {d}], "translation": [{X}, {Y}, {Z}]}', "xyzw", per_metre=1.0),
    "Blender": Maker("rotation_quaternion = ({a}, {b}, {c}, {d})", "wxyz"),
    "Unity": Maker("Unity {X} {Y} {Z} {a} {b} {c} {d}", "xyzw", _left, per_metre=1.0),
    "Unity Euler": Maker("Unity Quaternion.Euler({b}, {c}, {a})", "zxy deg", _left),
    "CARLA": Maker(
        "Transform(Location(x={X}, y={Y}, z={Z}), Rotation(pitch={a}, yaw={b}, roll={c}))",
        "rotator",
        _unreal,
        per_metre=1.0,
    ),
    "Unreal": Maker("X={X} Y={Y} Z={Z} P={a} Y={b} R={c}", "rotator", _unreal, per_metre=1e2),
    "PX4": Maker("vehicle_attitude q: [{a}, {b}, {c}, {d}]", "wxyz"),
    "ArduPilot": Maker("ATTITUDE {roll : {c}, pitch : {b}, yaw : {a}}", "ZYX rad"),
    "Android": Maker("TYPE_ROTATION_VECTOR {a} {b} {c} {d}", "xyzw"),
    "OpenCV": Maker("rvec = [[{a}], [{b}], [{c}]] tvec = [[{X}], [{Y}], [{Z}]]", "rotvec rad", per_metre=1.0),
    "COLMAP": Maker("1 {a} {b} {c} {d} {X} {Y} {Z} 1 a.png", "wxyz", inverted, per_metre=1.0),
    "nerfstudio": Maker(
        '"transform_matrix": [[{a}, {b}, {c}, {X}], [{d}, {e}, {f}, {Y}], [{g}, {h}, {i}, {Z}], [0, 0, 0, 1]]',
        "matrix rows",
        per_metre=1.0,
    ),
    "EuRoC": Maker(
        "T_BS: cols: 4 rows: 4 data: [{a}, {b}, {c}, {X}, {d}, {e}, {f}, {Y}, {g}, {h}, {i}, {Z}, 0, 0, 0, 1]",
        "matrix rows",
        per_metre=1.0,
    ),
    "Kalibr": Maker(
        "T_cam_imu: [{a}, {b}, {c}, {X}, {d}, {e}, {f}, {Y}, {g}, {h}, {i}, {Z}, 0, 0, 0, 1]",
        "matrix rows",
        per_metre=1.0,
    ),
    "omega phi kappa": Maker("omega {a} phi {b} kappa {c} deg", "XYZ deg"),
    "OptiTrack": Maker("OptiTrack {X} {Y} {Z} {a} {b} {c} {d}", "xyzw", per_metre=1.0),
    "JPL": Maker("JPL {a} {b} {c} {d}", "xyzw"),
}


@dataclass(frozen=True)
class Planted:
    """Two texts with a planted difference."""

    kind: str
    first: str
    second: str
    digits: int
    noise: bool
    has_position: bool
    sides: tuple[Side, Side]
    offset: Array | None = None


def random_pose(rng: np.random.Generator, shape: str = "any") -> Pose:
    """Return a pose: any, turned about z only, small angles, or near a quarter turn."""
    p = rng.uniform(-2.0, 2.0, 3)
    if shape == "yaw":
        return Rotation.from_euler("z", rng.uniform(-np.pi, np.pi)).as_matrix(), p
    if shape == "small":
        return Rotation.from_rotvec(rng.normal(0, 0.05, 3)).as_matrix(), p
    if shape == "quarter":
        near = Rotation.from_euler("xyz", rng.integers(0, 4, 3) * np.pi / 2) * Rotation.from_rotvec(
            rng.normal(0, 0.02, 3)
        )
        return near.as_matrix(), p
    return Rotation.random(random_state=rng).as_matrix(), p


def noisy(R: Array, p: Array, rng: np.random.Generator) -> Pose:
    """Return a measured pose."""
    turn = Rotation.from_rotvec(rng.normal(0, np.radians(NOISE_DEG), 3)).as_matrix()
    return R @ turn, p + rng.normal(0, NOISE_M, 3)


def _sides(rng: np.random.Generator, first: Callable, second: Callable, forms: list[str] = FORMS) -> tuple[Side, Side]:
    return _side(rng, rng.choice(forms), first), _side(rng, rng.choice(forms), second)


def _side(rng: np.random.Generator, form: str, change: Callable = unchanged, per_metre: float = 1.0) -> Side:
    layouts = ["row", "brackets"]
    if per_metre == 1.0:
        layouts += {"rpy rad": ["URDF", "URDF"], "xyzw": ["ROS", "ROS"], "rotvec rad": ["UR", "UR"]}.get(form, [])
    return Side(str(form), change, per_metre, str(rng.choice(layouts)))


def _euler(rng: np.random.Generator, unit: str | None = None) -> str:
    sequence = rng.choice(SEQUENCES)
    return f"{sequence if rng.random() < 0.5 else sequence.upper()} {unit or rng.choice(['deg', 'rad'])}"


def _mirrored(rng: np.random.Generator) -> Callable[[Array, Array], Pose]:
    S = [np.diag([-1.0, 1, 1]), FLIP_Y, np.diag([1.0, 1, -1]), EYE[[0, 2, 1]], EYE[[1, 0, 2]], EYE[[2, 1, 0]]][
        rng.integers(6)
    ]
    return changed(S, S)


def _aerospace(rng: np.random.Generator) -> Callable[[Array, Array], Pose]:
    world = [NED_ENU, EYE, NED_ENU, FLIP_YZ]
    body = [FLIP_YZ, FLIP_YZ, EYE, FLIP_YZ]
    i = rng.integers(4)
    return changed(world[i], body[i])


def _camera(rng: np.random.Generator) -> Callable[[Array, Array], Pose]:
    return [
        changed(EYE, OPTICAL),
        changed(OPTICAL.T, OPTICAL),
        changed(EYE, FLIP_YZ),
        chained(changed(EYE, FLIP_YZ), inverted),
        chained(changed(EYE, OPTICAL), inverted),
    ][rng.integers(5)]


QUATERNIONS = ["xyzw", "wxyz"]
PLAIN = ["xyzw", "wxyz", "rotvec rad", "rpy deg", "rpy rad", "matrix rows"]
KINDS: dict[str, Callable[[np.random.Generator], tuple[Side, Side]]] = {
    "same": lambda g: _sides(g, unchanged, unchanged),
    "quaternion order": lambda g: (_side(g, "wxyz"), _side(g, "xyzw")),
    "inverse": lambda g: _sides(g, unchanged, inverted, PLAIN),
    "conjugate, position kept": lambda g: _sides(g, unchanged, transposed, PLAIN),
    "Euler and quaternion": lambda g: (_side(g, _euler(g, "deg")), _side(g, str(g.choice(QUATERNIONS)))),
    "Euler and Euler": lambda g: (_side(g, _euler(g)), _side(g, _euler(g))),
    "roll-pitch-yaw and ZYX": lambda g: (_side(g, f"rpy {g.choice(['deg', 'rad'])}"), _side(g, "ZYX deg")),
    "degrees and radians": lambda g: (_side(g, (e := _euler(g, "deg"))), _side(g, e.replace("deg", "rad"))),
    "JPL": lambda g: (Side("xyzw", layout="maker:JPL"), _side(g, str(g.choice(PLAIN)), transposed)),
    "NED and ENU, FRD and FLU": lambda g: _sides(g, unchanged, _aerospace(g), PLAIN),
    "camera axes": lambda g: _sides(g, unchanged, _camera(g), [*QUATERNIONS, "rotvec rad", "matrix rows"]),
    "Unity": lambda g: (_side(g, str(g.choice(PLAIN))), _side(g, "xyzw", changed(UNITY, UNITY.T))),
    "Unreal": lambda g: (_side(g, str(g.choice(PLAIN))), _side(g, "xyzw", changed(FLIP_Y, FLIP_Y))),
    "matrix by columns": lambda g: (
        _side(g, str(g.choice([*PLAIN, "matrix rows", "matrix rows"]))),
        _side(g, "matrix columns"),
    ),
    "metres and millimetres": lambda g: (
        _side(g, (f := str(g.choice(FORMS)))),
        _side(g, str(g.choice([f, "xyzw"])), per_metre=1e3),
    ),
    "rotation vector and quaternion": lambda g: (
        _side(g, f"rotvec {g.choice(['deg', 'rad'])}"),
        _side(g, str(g.choice(QUATERNIONS))),
    ),
    "mirrored axes": lambda g: _sides(g, unchanged, _mirrored(g), [*QUATERNIONS, "rotvec rad", "matrix rows"]),
    "makers": lambda g: tuple(_maker(g) for _ in range(2)),
    "maker and quaternion": lambda g: (_maker(g), _side(g, str(g.choice(QUATERNIONS)))),
}


def _maker(rng: np.random.Generator) -> Side:
    name = str(rng.choice(sorted(set(MAKERS) - {"JPL"})))
    maker = MAKERS[name]
    return Side(maker.form, maker.change, maker.per_metre or 0.0, f"maker:{name}")


def plant(
    kind: str, rng: np.random.Generator, digits: int, noise: bool, has_position: bool, shape: str = "any"
) -> Planted:
    """Return one pair of a kind: of `KINDS`, ``"unrelated"``, or ``"offset"``."""
    R, p = random_pose(rng, shape)
    S, s = noisy(R, p, rng) if noise else (R, p)
    offset = None
    if kind == "unrelated":
        sides = _sides(rng, unchanged, unchanged)
        S, s = random_pose(rng)
    elif kind == "offset":
        sides = (_side(rng, (form := str(rng.choice(FORMS)))), _side(rng, str(rng.choice([form, "xyzw"]))))
        axis = rng.normal(size=3)
        offset = Rotation.from_rotvec(axis / np.linalg.norm(axis) * np.radians(rng.uniform(5, 60))).as_matrix()
        S = S @ offset
    else:
        sides = KINDS[kind](rng)
    if not has_position:
        sides = tuple(replace(side, layout="row") if side.layout in ("URDF", "UR") else side for side in sides)
    first, second = sides[0].text(R, p, digits, has_position), sides[1].text(S, s, digits, has_position)
    if rng.random() < 0.5:
        first, second, sides = second, first, sides[::-1]
    return Planted(kind, first, second, digits, noise, has_position, sides, offset)


INVERSE = "one is the inverse of the other: the frame in its parent, against the parent in the frame"
KEPT = (
    "one rotation is the inverse of the other: frame into parent, against parent into frame; the positions are both in"
    " the parent"
)
OFFSET = "the positions differ by an offset"
_AXES = re.compile(r"other axes of (both frames|the parent|the frame): the first's x, y, z are (\S+), (\S+), (\S+)")
_ANGLES = re.compile(r"angles (\w{3}) about (moving|fixed) axes, (deg|rad)")


class UnknownWordsError(ValueError):
    """An answer has words that the judge does not know."""


def stated_form(words: str) -> str:
    """Return the form that the description of a side states.

    Raises
    ------
    UnknownWordsError
        When the description is none of the known ones.
    """
    if match := _ANGLES.fullmatch(words):
        sequence = match[1].upper() if match[2] == "moving" else match[1].lower()
        return f"{sequence} {match[3]}"
    plain = words.removesuffix(", millimetres").removesuffix(", metres")
    forms = {
        "quaternion xyzw": "xyzw",
        "quaternion wxyz": "wxyz",
        "rotation vector, deg": "rotvec deg",
        "rotation vector, rad": "rotvec rad",
        "matrix": "matrix rows",  # a symmetric one
        "matrix, frame into parent": "matrix rows",
        "matrix, parent into frame": "matrix columns",
    }
    if plain not in forms:
        raise UnknownWordsError(words)
    return forms[plain]


def stated_axes(text: str) -> tuple[Array, Array]:
    """Return the matrices (3, 3) of parent and frame that take the second's numbers to those of the first.

    Raises
    ------
    UnknownWordsError
        When the phrase is no change of axes.
    """
    match = _AXES.match(text)
    if match is None:
        raise UnknownWordsError(text)
    P = np.zeros((3, 3))
    for i, name in enumerate(match.groups()[1:]):
        P[i, "xyz".index(name[-1])] = -1.0 if len(name) == 2 else 1.0
    return (P, P) if match[1] == "both frames" else (P, EYE) if match[1] == "the parent" else (EYE, P)


def stated_pose(words: str, side: Side, R: Array, p: Array, has_position: bool) -> Pose:
    """Return the pose that a description of a side states for the numbers that the side has for a true pose."""
    numbers, place = side.numbers(R, p)
    form = stated_form(words)
    if form.startswith("matrix") and has_position:
        M = numbers.reshape(3, 3)
        pose = (
            (M.T if side.form == "matrix columns" else M),
            place,
        )  # the place of the translation tells rows from columns
        return pose if form == "matrix rows" else inverted(*pose)
    return read(form, numbers), place


def stated_relations(texts: tuple[str, ...]) -> list[Callable[[Array, Array], Pose]]:
    """Return the changes of pose, first to second, that phrases may mean: the inverse before or after other axes."""
    left, right, turn = EYE, EYE, None
    for text in texts:
        if text in (INVERSE, KEPT):
            turn = inverted if text == INVERSE else transposed
        elif text == OFFSET or text.startswith(("the second's positions are", "the first's positions are")):
            continue
        else:
            parent, frame = stated_axes(text)
            left, right = parent @ left, frame @ right
    axes = changed(left.T, right)
    return [axes] if turn is None else [chained(turn, axes), chained(axes, turn)]


@dataclass(frozen=True)
class Judgement:
    """Whether a named relation is the planted one: of the orientations, and of the positions of both sides."""

    orientation: bool
    position: bool

    @property
    def is_true(self) -> bool:
        """Whether both hold."""
        return self.orientation and self.position


FRESH = [(Rotation.from_quat(q).as_matrix(), np.array(p)) for q, p in [
    ([0.31, -0.42, 0.55, 0.65], [0.4, -0.9, 1.3]),
    ([-0.62, 0.17, 0.38, 0.66], [-1.1, 0.6, 0.2]),
    ([0.12, 0.71, -0.33, 0.61], [0.8, 1.7, -0.5]),
    ([0.52, 0.28, 0.77, -0.23], [-0.3, -1.4, -1.9]),
]]  # fmt: skip
"""Fresh poses with nothing special."""


def judge(planted: Planted, texts: tuple[str, ...], first: str, second: str) -> Judgement:
    """Return whether the relation in an answer's words takes fresh poses of the first side to those of the second."""
    a, b = planted.sides
    both = all(_has_place(side, planted.has_position) for side in planted.sides)
    senses = [(s, t) for s in _senses(a) for t in _senses(b)]
    for relation in stated_relations(texts):
        for s, t in senses:
            orientation, position = True, not both or OFFSET not in texts
            for R, p in FRESH:
                R1, p1 = s(*_stated(first, a, R, p, planted.has_position))
                R2, p2 = t(*_stated(second, b, R, p, planted.has_position))
                S, q = relation(R1, p1)
                orientation = orientation and bool(np.allclose(S, R2, atol=1e-6))
                position = position and (
                    not both or bool(np.allclose(q / np.linalg.norm(q), p2 / np.linalg.norm(p2), atol=1e-6))
                )
            if orientation:
                return Judgement(orientation, position)
    return Judgement(False, False)


def _stated(words: str, side: Side, R: Array, p: Array, has_position: bool) -> Pose:
    """Return the stated pose; a maker's own words are checked against the maker's papers."""
    name = side.layout.removeprefix("maker:")
    if name == side.layout:
        return stated_pose(words, side, R, p, has_position)
    if words.startswith(("unity:", "unreal:", "carla:")) or side.form == "rotator":
        return R, p
    stated = stated_form(words)
    if stated.replace("matrix columns", "matrix rows") != side.form.replace("matrix columns", "matrix rows"):
        return read(stated, side.numbers(R, p)[0]), p
    return R, p


def _has_place(side: Side, has_position: bool) -> bool:
    """Return whether the text of a side has a position."""
    if side.layout.startswith("maker:"):
        return "{X}" in MAKERS[side.layout.removeprefix("maker:")].template
    return has_position


def _senses(side: Side) -> list[Callable[[Array, Array], Pose]]:
    """Return the senses that the text of a side leaves open."""
    return [unchanged, inverted] if side.layout == "maker:JPL" else [unchanged]


def tally(kind: str, count: int, compare: Callable[[str, str], Any], shape: str = "any") -> Counter[str]:
    """Return how often each verdict comes for pairs of a kind, and what is right and wrong in the answers.

    Parameters
    ----------
    kind
        One of `KINDS`, ``"unrelated"`` or ``"offset"``.
    count
        Number of pairs: with 2, 3 and 6 digits, without noise and with it, without positions and with them in turn.
    compare
        `framescope.features.compare.compare`.
    shape
        Poses, as in `random_pose`.

    Returns
    -------
    Counter
        Verdicts; ``"first"`` and ``"named"`` for the true relation; ``"settled wrong"``, ``"likely wrong"``; ``"fine"``
        for poses with 6 digits, ``"fine and sure"`` for those that are settled or likely; ``"too many"`` for answers
        with more than six relations.
    """
    rng = np.random.default_rng([7, *kind.encode(), *shape.encode()])
    counts: Counter[str] = Counter()
    for i in range(count):
        planted = plant(kind, rng, (2, 3, 6)[i % 3], bool(i // 3 % 2), bool(i // 6 % 2), shape)
        answer = compare(planted.first, planted.second)
        is_related = kind in KINDS
        true = [is_related and judge(planted, row.texts, row.first, row.second).is_true for row in answer.rows]
        is_first = bool(true) and true[0]
        counts[answer.verdict] += 1
        counts["first"] += is_first
        counts["named"] += any(true)
        counts["too many"] += len(true) > 6
        if answer.verdict in ("settled", "likely"):
            counts[f"{answer.verdict} wrong"] += not is_first
        if planted.digits == 6 and planted.has_position:
            counts["fine"] += 1
            counts["fine and sure"] += answer.verdict in ("settled", "likely")
    return counts
