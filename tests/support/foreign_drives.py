"""Random drives of robots and devices with planted faults of their sensors, and healthy ones, by NumPy and SciPy alone.

No formula of Framescope's kinematics is used, so that an error of the search cannot hide in the expected answer.
Whether the motion can tell a fault from its rivals is computed in `foreign_drive_rivals` from the exact readings and
the noise. B is the body, W the world; readings before a fault are exact functions of time (`Sensor.exact`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.signal import lfilter
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.readings import Mount, Quantity, Readings, SensorLog
from tests.support.foreign_motions import KINDS, QUIET, G, Motion, Random, motion

Array = np.ndarray

NED_ENU = Rotation.from_matrix([[0.0, 1, 0], [1, 0, 0], [0, 0, -1]])
FLIP_YZ = Rotation.from_matrix(np.diag([1.0, -1, -1]))
OPTICAL = Rotation.from_matrix([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
"""Columns: axes of a camera (x right, y down, z forward) in a body (x forward, y left, z up)."""

FAULTS = (
    *("quaternion order", "inverse", "world axes", "body axes", "doubled axes", "mirrored axes", "mounting"),
    *("wrong frame", "resolved in reference", "resolved in frame", "unit", "sign", "scale", "bias"),
    *("gravity removed", "starts as zero", "delay", "clock drift"),
)
"""Kinds of planted faults."""

BASES = {"wheeled": "base_link", "flying": "base_link", "hand-held": "device", "arm": "tool0"}
"""Frames of the bodies."""

FIELD = np.array([0.0, 20e-6, -44e-6])
"""Magnetic field of the Earth in the world (x east), T."""


HEALTHY_FROM = 100_000
"""First seed of the healthy drives."""


@dataclass(frozen=True, eq=False)
class Sensor:
    """Readings without faults: exact, and what is known of their noise.

    Attributes
    ----------
    exact
        Exact values at true times.
    turn
        Orientation of `frame` relative to `reference` at true times.
    white, slow, tau
        Standard deviation of each reading, that of slow errors, both (3,) in the axes of the body, and their
        correlation time, s.
    relative
        Error as a part of the reading.
    copy_of
        Name of the sensor that these readings repeat.
    """

    name: str
    source: str
    quantity: Quantity
    frame: str
    reference: str
    resolved_in: str
    hz: float
    exact: Callable[[Array], Array]
    turn: Callable[[Array], Rotation]
    noisy: Callable[[Random, Array], Array]
    white: Array
    slow: Array
    tau: float = 20.0
    relative: float = 0.005
    copy_of: str = ""


@dataclass(frozen=True, eq=False)
class Planted:
    """Planted fault: its kind, the readings that have it, and its value as in `account.Fault`.

    `can_tell`, `rival` and `apart` (chi-square of the best rival) come from `foreign_drive_rivals`; `also` names other
    readings to which the fault may be ascribed, turned round, since nothing is privileged; `single` has kinds and
    readings of faults that explain all planted ones alone.
    """

    kind: str
    sensors: tuple[str, ...]
    value: tuple[float, ...] = ()
    can_tell: bool = True
    rival: str = ""
    apart: float = np.inf
    also: tuple[str, ...] = ()
    single: tuple[tuple[str, str], ...] = ()

    @property
    def is_of_clock(self) -> bool:
        """Whether the fault is one of stamps."""
        return self.kind in ("delay", "clock drift")


@dataclass(frozen=True, eq=False)
class TrueMount:
    """True pose of a sensor's frame on the body; `stated` is None if the recording states none."""

    parent: str
    frame: str
    turn: Rotation
    lever: Array
    stated: Rotation | None


@dataclass(frozen=True, eq=False)
class Drive:
    """Drive with its readings, which are made once they are asked for, and the truth about them."""

    seed: int
    kind: str
    liveliness: str
    grade: str
    motion: Motion
    sensors: tuple[Sensor, ...]
    mounts: tuple[TrueMount, ...]
    faults: tuple[Planted, ...]
    record: Callable[[], SensorLog] = field(repr=False)

    @property
    def log(self) -> SensorLog:
        """Return the readings with noise and faults, the same each time."""
        return self.record()

    def stated(self, sensor: Sensor, t: Array, *, without: Planted | None = None) -> Array:
        """Return the exact values that the recording would state at stamps, without noise, or with a fault undone."""
        faults = [fault for fault in self.faults if sensor.name in fault.sensors and fault is not without]
        t = true_times(faults, t)
        return spoil(faults, sensor, sensor.exact(t), t)


def drive(seed: int, *, n_faults: int | None = None, is_quiet: bool | None = None) -> Drive:
    """Return a drive of 20 to 300 s with none, one or two faults; the seed alone decides what is not given."""
    rng = np.random.default_rng([52, seed])
    kind = KINDS[int(rng.integers(4))]
    lively = "one axis" if kind in ("hand-held", "arm") and rng.random() < 0.15 else "lively"
    quiet = QUIET[int(rng.integers(3))]
    if is_quiet is None:
        is_quiet = bool(rng.random() < 0.12)
    liveliness = quiet if is_quiet else lively
    n = int(rng.choice([0, 1, 2], p=[0.1, 0.6, 0.3])) if n_faults is None else n_faults
    moves = motion(rng, kind, liveliness, float(np.round(20.0 * 15.0 ** rng.random(), 1)))
    grade = ("phone", "good")[int(rng.integers(2))]
    sensors, mounts = _equip(rng, kind, moves, grade)
    faults: list[Planted] = []
    first_kind = FAULTS[seed % len(FAULTS)]
    for k in range(n):
        wanted = [first_kind] if not k else []
        order = wanted + [FAULTS[int(j)] for j in rng.permutation(len(FAULTS))]
        for each in order:
            options = [o for o in _options(rng, each, sensors, mounts, moves) if _goes_with(o[0], faults)]
            if options:
                fault, changed = options[int(rng.integers(len(options)))]
                faults.append(fault)
                mounts = changed
                break
    record = functools.cache(lambda: _record(rng, sensors, mounts, faults, moves))
    return Drive(seed, kind, liveliness, grade, moves, sensors, mounts, tuple(faults), record)


def healthy_drive(seed: int) -> Drive:
    """Return one of the healthy drives; of each five, two are quiet."""
    return drive(HEALTHY_FROM + seed, n_faults=0, is_quiet=seed % 5 < 2)


# --- Sensors


def _quaternions(R: Rotation) -> Array:
    return R.as_quat(canonical=True)


def _slow(rng: Random, t: Array, sigma: float | Array, tau: float) -> Array:
    """Return a Gauss-Markov process (n, 3) at increasing times."""
    step = min(0.1, tau / 10.0)
    n = int((t[-1] - t[0]) / step) + 3
    keep = np.exp(-step / tau)
    pushes = rng.normal(size=(n, 3)) * np.sqrt(1.0 - keep**2)
    pushes[0] /= np.sqrt(1.0 - keep**2)
    walk = lfilter([1.0], [1.0, -keep], pushes, axis=0)
    grid = t[0] + step * np.arange(n)
    return np.column_stack([np.interp(t, grid, walk[:, k]) for k in range(3)]) * sigma


def _walk(rng: Random, t: Array, sigma: float | Array) -> Array:
    """Return a random walk (n, 3) with `sigma` per root second."""
    steps = np.sqrt(np.diff(t, prepend=t[0]).clip(0.0))[:, None]
    return np.cumsum(rng.normal(size=(len(t), 3)) * steps, axis=0) * sigma


def _equip(rng: Random, kind: str, moves: Motion, grade: str) -> tuple[tuple[Sensor, ...], tuple[TrueMount, ...]]:
    """Return the sensors of a body and their mounts."""
    base = BASES[kind]
    sensors: list[Sensor] = []
    mounts: list[TrueMount] = []
    n_imus = 2 if kind in ("hand-held", "arm") and rng.random() < 0.25 else 1
    for k in range(n_imus):
        name = "imu" if not k else "imu2"
        is_stated = rng.random() < (0.8 if kind in ("wheeled", "flying") else 0.5) or k < n_imus - 1
        mount = _mount(rng, base, f"{name}_link", is_stated=bool(is_stated))
        mounts.append(mount)
        sensors += _imu(rng, moves, mount, f"/{name}/data", grade, has_orientation=bool(rng.random() < 0.8))
        if not k and rng.random() < (0.15 if kind == "arm" else 0.5):
            sensors.append(_magnetometer(rng, moves, mount, f"/{name}/mag", grade))
    if kind == "wheeled":
        sensors += _wheel_odometry(rng, moves, base)
        if rng.random() < 0.15:
            sensors.append(_compass(rng, moves, base))
    elif kind == "flying" or rng.random() < 0.8:
        sensors += _poses(rng, moves, base, kind)
    if kind not in ("arm", "hand-held") and rng.random() < 0.45:
        lever = rng.uniform(-0.3, 0.3, 3)
        mounts.append(TrueMount(base, "gps_link", Rotation.identity(), lever, Rotation.identity()))
        sensors.append(_gnss(rng, moves, lever))
    if len(sensors) < 3 or len({sensor.source for sensor in sensors}) < 2:
        sensors += [s for s in _poses(rng, moves, base, kind) if s.name not in {r.name for r in sensors}]
    return tuple(sensors), tuple(mounts)


def _mount(rng: Random, base: str, frame: str, *, is_stated: bool) -> TrueMount:
    """Return the mount of an inertial sensor: along the axes of the body, along other axes, or aslant."""
    turns = Rotation.create_group("O")
    form = rng.random()
    turn = Rotation.identity() if form < 0.3 else turns[int(rng.integers(24))]
    if form > 0.75:
        turn = Rotation.random(random_state=rng)
    sloppy = Rotation.from_rotvec(rng.normal(0.0, np.radians(0.1), 3))
    return TrueMount(base, frame, turn * sloppy, rng.uniform(-0.2, 0.2, 3), turn if is_stated else None)


@dataclass(frozen=True)
class Grade:
    """Noise of an inertial sensor: density, constant bias, and the errors of its orientation."""

    gyro: float
    gyro_bias: float
    accel: float
    accel_bias: float
    white: float
    slow: float
    field: float


GRADES = {
    "good": Grade(2e-4, 5e-4, 2e-3, 0.02, 5e-4, 5e-3, 0.3e-6),
    "phone": Grade(1e-3, 4e-3, 8e-3, 0.08, 2e-3, 0.025, 1e-6),
}
"""Inertial sensors by grade; densities in rad/s/√Hz and m/s²/√Hz."""


def _imu(
    rng: Random, moves: Motion, mount: TrueMount, source: str, grade: str, *, has_orientation: bool
) -> list[Sensor]:
    of = GRADES[grade]
    hz = float(rng.choice([50.0, 100.0, 200.0]))
    shakes = 0.0 if moves.liveliness == "parked" else float(rng.choice([0.0, 1.0, 4.0]))
    ones, still = np.ones(3), Rotation.from_euler("Z", float(rng.uniform(-np.pi, np.pi)))
    gyro = of.gyro * np.sqrt(hz / 2.0) * (1.0 + shakes)
    accel = of.accel * np.sqrt(hz / 2.0) * (1.0 + 2.0 * shakes)
    gyro_bias, accel_bias = (
        rng.normal(0.0, of.gyro_bias, 3).clip(-2 * of.gyro_bias, 2 * of.gyro_bias),
        rng.normal(0.0, of.accel_bias, 3).clip(-2 * of.accel_bias, 2 * of.accel_bias),
    )
    scales = 1.0 + rng.normal(0.0, 0.001, 3)
    back = mount.turn.inv()

    def turn(t: Array) -> Rotation:
        return still * moves.turn(t) * mount.turn

    def w(t: Array) -> Array:
        return back.apply(moves.rate(t))

    def f(t: Array) -> Array:
        return back.apply(moves.specific_force(t, mount.lever))

    def noisy_turn(r: Random, t: Array) -> Array:
        slow = _slow(r, t, of.slow * np.array([0.3, 0.3, 1.0]), 20.0)
        return _quaternions(
            Rotation.from_rotvec(slow) * turn(t) * Rotation.from_rotvec(r.normal(0, of.white, (len(t), 3)))
        )

    def noisy_w(r: Random, t: Array) -> Array:
        return scales * w(t) + gyro_bias + _walk(r, t, of.gyro_bias / 30.0) + r.normal(0.0, gyro, (len(t), 3))

    def noisy_f(r: Random, t: Array) -> Array:
        return scales * f(t) + accel_bias + _walk(r, t, of.accel_bias / 60.0) + r.normal(0.0, accel, (len(t), 3))

    common = {"source": source, "frame": mount.frame, "hz": hz, "turn": turn}
    readings = [
        Sensor(
            name=f"angular velocity of {source}", quantity="angular velocity", reference="", resolved_in="",
            exact=w, noisy=noisy_w, white=gyro * ones, slow=of.gyro_bias * ones, tau=1e4, **common,
        ),
        Sensor(
            name=f"specific force of {source}", quantity="specific force", reference="", resolved_in="",
            exact=f, noisy=noisy_f, white=accel * ones, slow=of.accel_bias * ones, tau=1e4, **common,
        ),
    ]  # fmt: skip
    if has_orientation:
        readings.append(
            Sensor(
                name=f"orientation of {source}",
                quantity="orientation",
                reference="",
                resolved_in="",
                exact=lambda t: _quaternions(turn(t)),
                noisy=noisy_turn,
                white=of.white * ones,
                slow=of.slow * np.array([0.6, 0.6, 1.0]),
                **common,
            )
        )
    return readings


def _magnetometer(rng: Random, moves: Motion, mount: TrueMount, source: str, grade: str) -> Sensor:
    noise = GRADES[grade].field
    iron = rng.normal(0.0, 1e-6, 3).clip(-2e-6, 2e-6)

    def turn(t: Array) -> Rotation:
        return moves.turn(t) * mount.turn

    def exact(t: Array) -> Array:
        return turn(t).inv().apply(FIELD)

    return Sensor(
        name=f"magnetic field of {source}", source=source, quantity="magnetic field", frame=mount.frame, reference="",
        resolved_in="", hz=float(rng.choice([10.0, 25.0, 50.0])), exact=exact, turn=turn,
        noisy=lambda r, t: exact(t) + iron + r.normal(0.0, noise, (len(t), 3)),
        white=noise * np.ones(3), slow=1e-6 * np.ones(3), tau=1e4,
    )  # fmt: skip


def _compass(rng: Random, moves: Motion, base: str) -> Sensor:
    def exact(t: Array) -> Array:
        order = np.argsort(t)
        x = moves.turn(t[order]).apply([1.0, 0.0, 0.0])
        psi = np.empty((len(t), 1))
        psi[order, 0] = np.unwrap(np.arctan2(x[:, 1], x[:, 0]))
        return psi

    noise = np.radians(1.0)
    return Sensor(
        name="heading of /compass", source="/compass", quantity="heading", frame=base, reference="", resolved_in="",
        hz=10.0, exact=exact, turn=moves.turn, noisy=lambda r, t: exact(t) + r.normal(0.0, noise, (len(t), 1)),
        white=noise * np.ones(3), slow=np.radians(1.0) * np.ones(3),
    )  # fmt: skip


class _Wheels:
    """State of a robot as its wheels give it: one for all readings of the source."""

    def __init__(self, turn: Callable[[Array], Rotation], speed: Callable[[Array], Array], drift: float) -> None:
        self.of_turn, self.of_speed, self.drift = turn, speed, drift
        self.t = np.zeros(0)

    def _estimate(self, rng: Random, t: Array) -> None:
        if not len(self.t):
            self.t = np.arange(t[0] - 1.0, t[-1] + 1.0, 0.02)
            true = np.unwrap(self.of_turn(self.t).as_euler("ZYX")[:, 0])
            self.yaw = true + _walk(rng, self.t, self.drift)[:, 2]
            along = np.column_stack([np.cos(self.yaw), np.sin(self.yaw), 0.0 * self.yaw])
            path = np.cumsum(0.02 * self.of_speed(self.t)[:, None] * along, axis=0)
            self.path = path - np.array([np.interp(0.0, self.t, path[:, k]) for k in range(3)])

    def turn(self, rng: Random, t: Array) -> Array:
        """Return quaternions with drift."""
        self._estimate(rng, t)
        return _quaternions(Rotation.from_euler("Z", np.interp(t, self.t, self.yaw)[:, None]))

    def place(self, rng: Random, t: Array) -> Array:
        """Return positions with drift, m."""
        self._estimate(rng, t)
        return np.column_stack([np.interp(t, self.t, self.path[:, k]) for k in range(3)])


def _wheel_odometry(rng: Random, moves: Motion, base: str) -> list[Sensor]:
    """Return odometry of wheels, which knows the plane alone and drifts, and often its copy on /tf."""
    hz = float(rng.choice([10.0, 20.0, 50.0]))
    drift, scale = float(rng.uniform(0.0005, 0.003)), 1.0 + float(rng.normal(0.0, 0.002))
    quiet_walk = moves.liveliness == "parked"
    first = moves.turn(np.zeros(1)).as_euler("ZYX")[0, 0]
    start = moves.place(np.zeros(1))[0]
    level = Rotation.from_euler("Z", -first)
    drift = 0.0 if quiet_walk else drift

    def turn(t: Array) -> Rotation:
        return level * moves.turn(t)

    def place(t: Array) -> Array:
        return level.apply(moves.place(t) - start)

    def body_velocity(t: Array) -> Array:
        return moves.turn(t).inv().apply(moves.velocity(t))

    def speed(t: Array) -> Array:
        return scale * body_velocity(t)[:, 0]

    wheels = _Wheels(turn, speed, drift)

    def noisy_velocity(r: Random, t: Array) -> Array:
        v = scale * body_velocity(t)[:, :1]
        is_moving = np.abs(v) > 1e-3
        return (v + r.normal(0.0, 0.01, v.shape) * is_moving) * [1.0, 0.0, 0.0]

    def noisy_w(r: Random, t: Array) -> Array:
        w = moves.rate(t)[:, 2:]
        return (w + r.normal(0.0, 0.01, w.shape) * (not quiet_walk)) * [0.0, 0.0, 1.0]

    common = {"source": "/odom", "frame": base, "reference": "odom", "hz": hz, "turn": turn}
    tilt, spell = np.radians(2.0), np.sqrt(min(moves.duration, 60.0))
    readings = [
        Sensor(
            name="orientation of /odom", quantity="orientation", resolved_in="",
            exact=lambda t: _quaternions(turn(t)), noisy=wheels.turn, white=np.array([tilt, tilt, 1e-3]),
            slow=np.array([tilt, tilt, drift * spell + 1e-3]), tau=30.0, **common,
        ),
        Sensor(
            name="position of /odom", quantity="position", resolved_in="", exact=place, noisy=wheels.place,
            white=np.array([2e-3, 2e-3, 0.05]), slow=np.array([0.2, 0.2, 0.5]), tau=30.0, **common,
        ),
        Sensor(
            name="velocity of /odom", quantity="velocity", resolved_in=base, exact=body_velocity,
            noisy=noisy_velocity, white=np.array([0.01, 0.01, 0.02]), slow=0.01 * np.ones(3), **common,
        ),
        Sensor(
            name="angular velocity of /odom", quantity="angular velocity", resolved_in="", exact=moves.rate,
            noisy=noisy_w, white=np.array([0.5, 0.5, 0.01]), slow=np.array([0.3, 0.3, 0.002]), **common,
        ),
    ]  # fmt: skip
    if rng.random() < 0.5:
        for copied in readings[:2]:
            name = f"{copied.quantity} of odom → {base} on /tf"
            readings.append(replace(copied, name=name, source="/tf", copy_of=copied.name))
    return readings


def _poses(rng: Random, moves: Motion, base: str, kind: str) -> list[Sensor]:
    """Return poses by a camera's odometry, a motion capture or the encoders of an arm."""
    is_exact = kind == "arm" or rng.random() < 0.3
    hz = float(rng.choice([50.0, 100.0] if is_exact else [20.0, 30.0]))
    white, wander, spread = (3e-4, 0.0, 5e-4) if is_exact else (1e-3, 5e-4, 3e-3)
    source, reference = {
        "flying": ("/vio/odometry", "odom"), "hand-held": ("/pose", "world"), "arm": ("/tf", "base"),
        "wheeled": ("/pose", "world"),
    }[kind]  # fmt: skip
    still = Rotation.from_euler("Z", float(rng.uniform(-np.pi, np.pi)))
    start = moves.place(np.zeros(1))[0] - rng.normal(0.0, 0.3, 3)
    scale = 1.0 if is_exact else 1.0 + float(rng.normal(0.0, 0.002))
    in_reference = bool(rng.random() < 0.5)

    def turn(t: Array) -> Rotation:
        return still * moves.turn(t)

    def place(t: Array) -> Array:
        return still.apply(moves.place(t) - start)

    def velocity(t: Array) -> Array:
        v = moves.velocity(t)
        return still.apply(v) if in_reference else moves.turn(t).inv().apply(v)

    def noisy_turn(r: Random, t: Array) -> Array:
        drift = _walk(r, t, wander * np.array([0.0, 0.0, 1.0])) + _slow(r, t, 4.0 * wander, 10.0)
        return _quaternions(
            Rotation.from_rotvec(drift) * turn(t) * Rotation.from_rotvec(r.normal(0, white, (len(t), 3)))
        )

    def noisy_place(r: Random, t: Array) -> Array:
        return scale * place(t) + _walk(r, t, 4.0 * wander) + r.normal(0.0, spread, (len(t), 3))

    spell = wander * np.sqrt(min(moves.duration, 60.0))
    names = {"/tf": f"{{}} of {reference} → {base} on /tf"}.get(source, f"{{}} of {source}")
    common = {"source": source, "frame": base, "reference": reference, "hz": hz, "turn": turn}
    readings = [
        Sensor(
            name=names.format("orientation"), quantity="orientation", resolved_in="",
            exact=lambda t: _quaternions(turn(t)), noisy=noisy_turn, white=white * np.ones(3),
            slow=np.array([4.0 * wander, 4.0 * wander, spell + 4.0 * wander]) + 1e-4, tau=30.0, **common,
        ),
        Sensor(
            name=names.format("position"), quantity="position", resolved_in="", exact=place, noisy=noisy_place,
            white=spread * np.ones(3), slow=(4.0 * spell + 1e-4) * np.ones(3), tau=30.0, **common,
        ),
    ]  # fmt: skip
    if kind == "flying":
        readings.append(
            Sensor(
                name=names.format("velocity"),
                quantity="velocity",
                resolved_in=reference if in_reference else base,
                exact=velocity,
                noisy=lambda r, t: scale * velocity(t) + r.normal(0.0, 0.03, (len(t), 3)),
                white=0.03 * np.ones(3),
                slow=0.01 * np.ones(3),
                **common,
            )
        )
    return readings


def _gnss(rng: Random, moves: Motion, lever: Array) -> Sensor:
    is_precise = bool(rng.random() < 0.4)
    white, slow = (0.01, 0.02) if is_precise else (0.2, 1.0)
    north = Rotation.from_euler("Z", float(rng.uniform(-np.pi, np.pi)))
    up = np.array([1.0, 1.0, 1.6])

    def exact(t: Array) -> Array:
        return north.apply(moves.place(t) + moves.turn(t).apply(lever))

    def noisy(r: Random, t: Array) -> Array:
        return exact(t) + _slow(r, t, slow * up, 30.0) + r.normal(0.0, white, (len(t), 3)) * up

    return Sensor(
        name="position of /fix", source="/fix", quantity="position", frame="gps_link", reference="", resolved_in="",
        hz=float(rng.choice([1.0, 5.0, 10.0])), exact=exact, turn=lambda t: north * moves.turn(t), noisy=noisy,
        white=white * up, slow=slow * up, tau=30.0,
    )  # fmt: skip


# --- Faults


Option = tuple[Planted, tuple[TrueMount, ...]]

DEGREES, STANDARD_G = 180.0 / np.pi, 1.0 / 9.80665


@dataclass(frozen=True)
class _Kit:
    """Sensors of a body by quantity, where faults may be planted."""

    rng: Random
    kind: str
    sensors: tuple[Sensor, ...]
    mounts: tuple[TrueMount, ...]
    moves: Motion

    def of(self, quantity: str) -> list[Sensor]:
        """Return the sensors of a quantity."""
        return [sensor for sensor in self.sensors if sensor.quantity == quantity]

    @property
    def turns(self) -> list[Sensor]:
        """Return the orientations."""
        return self.of("orientation")

    @property
    def vectors(self) -> list[Sensor]:
        """Return the vectors that inertial sensors and magnetometers read in their own axes."""
        quantities = ("angular velocity", "specific force", "magnetic field")
        return [s for quantity in quantities for s in self.of(quantity) if "odom" not in s.source]

    def option(self, sensors: Sensor | tuple[Sensor, ...], *value: float) -> Option:
        """Return a fault of one sensor or of several."""
        names = tuple(s.name for s in (sensors if isinstance(sensors, tuple) else (sensors,)))
        return Planted(self.kind, names, tuple(float(v) for v in value)), self.mounts

    def together(self, source: str, *quantities: str) -> tuple[Sensor, ...]:
        """Return the sensors of a source, of all quantities or of some."""
        return tuple(s for s in self.sensors if s.source == source and (not quantities or s.quantity in quantities))

    def one_of(self, *turns: Rotation) -> Array:
        """Return the quaternion of one of some rotations."""
        return turns[int(self.rng.integers(len(turns)))].as_quat()


def _options(
    rng: Random, kind: str, sensors: tuple[Sensor, ...], mounts: tuple[TrueMount, ...], moves: Motion
) -> Iterator[Option]:
    """Yield the places where a kind of fault may be planted, with the mounts as they are then."""
    kit = _Kit(rng, kind, sensors, mounts, moves)
    if kind in ("mounting", "wrong frame"):
        yield from _mount_options(rng, kind, sensors, mounts)
    elif kind in ("delay", "clock drift"):
        yield from _clock_options(kit)
    elif kind in ("quaternion order", "inverse"):
        yield from map(kit.option, kit.turns)
    elif kind in ("world axes", "body axes", "doubled axes", "mirrored axes", "starts as zero"):
        yield from _axes_options(kit)
    elif kind in ("resolved in reference", "resolved in frame", "gravity removed"):
        yield from _resolved_options(kit)
    else:
        yield from _size_options(kit)


def _axes_options(kit: _Kit) -> Iterator[Option]:
    if kit.kind == "world axes":
        yield from _world_options(kit)
    elif kit.kind == "body axes":
        of_imus = [sensor for sensor in kit.turns if "imu" in sensor.source]
        yield from (kit.option(s, *kit.one_of(FLIP_YZ, OPTICAL, OPTICAL.inv())) for s in (*of_imus, *kit.vectors))
    elif kit.kind == "doubled axes":
        yield from (kit.option(sensor, *kit.one_of(FLIP_YZ, OPTICAL)) for sensor in kit.turns)
    elif kit.kind == "mirrored axes":
        for sensor in (*kit.vectors, *kit.of("velocity")):
            yield kit.option(sensor, *(1.0 - 2.0 * np.eye(3)[int(kit.rng.integers(3))]))
    else:
        for sensor in kit.turns:
            first = sensor.turn(np.zeros(1))[0]
            if np.degrees(np.arccos(np.clip(first.as_matrix()[2, 2], -1.0, 1.0))) > 15.0:
                yield kit.option(sensor, *first.inv().as_quat())


def _world_options(kit: _Kit) -> Iterator[Option]:
    """Yield orientations of inertial sensors, and poses with all that is resolved in their reference."""
    of_imus = [sensor for sensor in kit.turns if "imu" in sensor.source]
    for sensor in of_imus:
        yield kit.option(sensor, *kit.one_of(NED_ENU, FLIP_YZ, OPTICAL))
    for sensor in kit.turns:
        if sensor not in of_imus and not sensor.copy_of:
            pose = kit.together(sensor.source, "orientation", "position")
            speeds = tuple(s for s in kit.together(sensor.source, "velocity") if s.resolved_in == s.reference)
            yield kit.option(pose + speeds, *kit.one_of(NED_ENU, FLIP_YZ))


def _resolved_options(kit: _Kit) -> Iterator[Option]:
    rates, forces, speeds = (kit.of(q) for q in ("angular velocity", "specific force", "velocity"))
    if kit.kind == "gravity removed":
        yield from map(kit.option, forces)
    elif kit.kind == "resolved in frame":
        yield from (kit.option(sensor) for sensor in speeds if sensor.resolved_in == sensor.reference)
    else:
        for sensor in (*speeds, *rates, *forces):
            if not sensor.resolved_in or sensor.resolved_in == sensor.frame:
                yield kit.option(sensor)


def _size_options(kit: _Kit) -> Iterator[Option]:
    rates, forces, places = (kit.of(q) for q in ("angular velocity", "specific force", "position"))
    speeds, headings, fields = (kit.of(q) for q in ("velocity", "heading", "magnetic field"))
    if kit.kind == "unit":
        factors = (DEGREES, STANDARD_G, 1e3, 1e3, DEGREES, 1e6)
        for group, factor in zip((rates, forces, places, speeds, headings, fields), factors, strict=True):
            yield from (kit.option(sensor, factor) for sensor in group)
    elif kit.kind == "sign":
        yield from map(kit.option, (*rates, *forces, *fields, *speeds, *headings))
    elif kit.kind == "scale":
        for sensor in (*rates, *forces, *speeds, *(s for s in places if s.source != "/fix")):
            yield kit.option(sensor, kit.rng.choice([0.8, 0.9, 0.94, 1.06, 1.1, 1.3]))
    else:
        for sensor, size in (*((s, 0.1) for s in rates), *((s, 1.5) for s in forces), *((s, 30e-6) for s in fields)):
            largest = size if "odom" not in sensor.source else 0.2
            parts = kit.rng.uniform(0.5, 1.5, 3) * kit.rng.choice([-1.0, 1.0], 3)
            yield kit.option(sensor, *(largest * parts))


def _clock_options(kit: _Kit) -> Iterator[Option]:
    sources = dict.fromkeys(sensor.source for sensor in kit.sensors)
    if kit.kind == "delay":
        late = float(kit.rng.choice([0.015, 0.038, 0.08, 0.15, 0.4]) * kit.rng.choice([1.0, 1.0, -0.5]))
        yield from (kit.option(kit.together(source), late) for source in sources)
    elif kit.moves.duration > 40.0:
        rate = float(kit.rng.uniform(0.05, 0.3) / kit.moves.duration * kit.rng.choice([1.0, -1.0]))
        yield from (kit.option(kit.together(source), rate) for source in sources)


def _mount_options(
    rng: Random, kind: str, sensors: tuple[Sensor, ...], mounts: tuple[TrueMount, ...]
) -> Iterator[Option]:
    """Yield inertial sensors whose stated mount is another than the true one; the truth stays."""
    turns = Rotation.create_group("O")
    for k, mount in enumerate(mounts):
        if mount.stated is None or "imu" not in mount.frame:
            continue
        if kind == "wrong frame":
            stated = Rotation.random(random_state=rng) * mount.turn
        else:
            other = turns[int(rng.integers(24))] if rng.random() < 0.6 else Rotation.random(random_state=rng)
            stated = mount.turn * other
        if (stated.inv() * mount.turn).magnitude() < np.radians(5.0):
            continue
        changed = (*mounts[:k], replace(mount, stated=stated), *mounts[k + 1 :])
        names = tuple(sensor.name for sensor in sensors if sensor.frame == mount.frame)
        yield Planted("mounting", names, tuple(mount.turn.as_quat())), changed


def _goes_with(fault: Planted, faults: list[Planted]) -> bool:
    """Return whether a fault may be planted beside others: another kind, and not twice on the axes of one reading."""
    light = ("delay", "clock drift", "unit", "scale")
    return all(
        other.kind != fault.kind
        and not (other.is_of_clock and fault.is_of_clock)
        and (
            not set(other.sensors) & set(fault.sensors)
            or (other.kind in light) != (fault.kind in light)
            or (other.is_of_clock != fault.is_of_clock)
        )
        for other in faults
    )


def true_times(faults: list[Planted], stamps: Array) -> Array:
    """Return the true times of readings with stamps."""
    for fault in faults:
        if fault.kind == "delay":
            stamps = stamps - fault.value[0]
        elif fault.kind == "clock drift":
            stamps = stamps / (1.0 + fault.value[0])
    return stamps


def spoil(faults: list[Planted], sensor: Sensor, values: Array, t: Array) -> Array:
    """Return values with faults, in the order in which they were planted; units, scales and biases come last."""
    last = ("scale", "bias", "unit")
    ordered = sorted(faults, key=lambda fault: last.index(fault.kind) + 1 if fault.kind in last else 0)
    for fault in ordered:
        values = _spoil_once(fault, sensor, values, t)
    return values


def _spoil_once(fault: Planted, sensor: Sensor, values: Array, t: Array) -> Array:
    kind, value = fault.kind, np.array(fault.value)
    changes: dict[str, Callable[[], Array]] = {
        "unit": lambda: values * value[0],
        "scale": lambda: values * value[0],
        "bias": lambda: values + value,
        "sign": lambda: -values,
        "resolved in reference": lambda: sensor.turn(t).apply(values),
        "resolved in frame": lambda: sensor.turn(t).inv().apply(values),
        "gravity removed": lambda: values - sensor.turn(t).inv().apply(G),
        "mirrored axes": lambda: values * value,
    }
    if kind in changes:
        return changes[kind]()
    if sensor.quantity != "orientation":
        return _other_axes(kind, values, value)
    if kind == "quaternion order":
        return np.roll(values, 1, axis=1)
    R = Rotation.from_quat(values)
    if kind == "inverse":
        R = R.inv()
    elif kind in ("world axes", "starts as zero"):
        R = Rotation.from_quat(value) * R
    elif kind in ("body axes", "doubled axes"):
        R = R * Rotation.from_quat(value)
    return R.as_quat()


def _other_axes(kind: str, values: Array, value: Array) -> Array:
    """Return vectors in other axes of the world or of the body."""
    if kind == "world axes":
        return Rotation.from_quat(value).apply(values)
    if kind == "body axes":
        return Rotation.from_quat(value).inv().apply(values)
    return values


# --- The recording


def _record(
    rng: Random, sensors: tuple[Sensor, ...], mounts: tuple[TrueMount, ...], faults: list[Planted], moves: Motion
) -> SensorLog:
    """Return the readings as a recorder keeps them: jitter, drop-outs, stalls, coarse stamps, signs that jump."""
    T = moves.duration
    stalls = [(float(a), float(a + rng.uniform(0.2, 1.5))) for a in rng.uniform(2.0, T - 2.0, int(rng.integers(0, 3)))]
    readings: list[Readings] = []
    clocks: dict[str, tuple[Array, Array, Array]] = {}
    copied: dict[str, Array] = {}
    for sensor in sensors:
        own = [fault for fault in faults if sensor.name in fault.sensors]
        if sensor.source not in clocks:
            twin = next((s for s in sensors if s.name == sensor.copy_of), None)
            clocks[sensor.source] = (
                _clock(rng, sensor.hz, T, stalls)
                if twin is None
                else (clocks[twin.source][0], *clocks[twin.source][1:])
            )
        t, stamps, kept = clocks[sensor.source]
        clean = copied.get(sensor.copy_of)
        if clean is None:
            clean = sensor.noisy(rng, t)
        copied[sensor.name] = clean
        values = spoil(own, sensor, clean, t)
        if sensor.quantity == "orientation" and rng.random() < 0.4:
            values = values * np.where(rng.random(len(t)) < 0.3, -1.0, 1.0)[:, None]
        stated, received = _stamps(rng, own, sensor, t, stamps, stalls, clocks)
        rows = kept & np.concatenate([[True], np.diff(np.maximum.accumulate(stated)) > 0.0])
        readings.append(
            Readings(
                sensor.name,
                sensor.source,
                sensor.quantity,
                stated[rows],
                values[rows],
                sensor.frame,
                sensor.reference,
                sensor.resolved_in,
                received[rows],
                _covariance(rng, sensor),
            )
        )
    named = [
        Mount(mount.parent, mount.frame, mount.stated.as_quat(), mount.lever, "/tf_static")
        for mount in mounts
        if mount.stated is not None
    ]
    return SensorLog(tuple(readings), tuple(named))


def _clock(rng: Random, hz: float, T: float, stalls: list[tuple[float, float]]) -> tuple[Array, Array, Array]:
    """Return the true times of a source, its stamps, and which messages reach the recording."""
    t = np.arange(0.0, T, 1.0 / hz) + float(rng.uniform(0.0, 1.0 / hz))
    t = t[t < T]
    stamps = t + np.minimum(rng.normal(0.0, float(rng.choice([0.0, 1e-4, 5e-4])), len(t)), 0.3 / hz)
    if rng.random() < 0.25:
        tick = 0.01 if hz <= 25.0 and rng.random() < 0.3 else 0.001
        stamps = np.round(stamps / tick) * tick
    stamps = np.maximum.accumulate(stamps)
    kept = rng.random(len(t)) > float(rng.choice([0.0, 0.0, 0.01, 0.05]))
    if rng.random() < 0.3 and T > 30.0:
        gap = float(rng.uniform(2.0, T - 5.0))
        kept &= (t < gap) | (t > gap + float(rng.uniform(0.3, 2.5)))
    for start, end in stalls:
        kept &= ~((t > start) & (t < end) & (rng.random(len(t)) < 0.3))
    return t, stamps, kept


def _stamps(
    rng: Random, own: list[Planted], sensor: Sensor, t: Array, stamps: Array, stalls: list[tuple[float, float]],
    clocks: dict[str, tuple[Array, Array, Array]],
) -> tuple[Array, Array]:  # fmt: skip
    """Return the stamps with faults of the clock, and the times of reception."""
    for fault in own:
        if fault.kind == "delay":
            stamps = stamps + fault.value[0]
        elif fault.kind == "clock drift":
            stamps = stamps * (1.0 + fault.value[0])
    seed = abs(hash_of(sensor.source)) % 2**32
    each = np.random.default_rng([seed, len(t)])
    received = np.maximum(t, stamps) + 0.002 + each.exponential(0.001, len(t))
    for start, end in stalls:
        received = np.where((received > start) & (received < end), end + 1e-4 * (received - start), received)
    return stamps, np.maximum.accumulate(received)


def hash_of(text: str) -> int:
    """Return a number of a text that is the same in each process."""
    return int.from_bytes(text.encode()[-6:], "little")


def _covariance(rng: Random, sensor: Sensor) -> Array | None:
    """Return the covariance that a driver states: none, zeros, minus one in front, or something near the truth."""
    k = 1 if sensor.quantity == "heading" else 3
    form = int(rng.integers(4))
    if form == 0:
        return None
    if form == 1:
        return np.zeros((k, k))
    if form == 2:
        unknown = np.zeros((k, k))
        unknown[0, 0] = -1.0
        return unknown
    return np.diag((sensor.white[:k] * float(rng.uniform(0.5, 3.0))) ** 2)
