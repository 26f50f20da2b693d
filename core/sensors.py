"""Sensors of the motion of a frame in the world, and of one frame relative to another, after Modelica's.

A sensor says which quantities are on and which frame they are resolved in; it exerts no force and no torque. What is on
is packed, three numbers each, in the order position, velocity, acceleration, angles, angular velocity, angular
acceleration. Vectors are differentiated first and resolved then, which is a rotation only: the velocity of a frame
resolved in the frame itself is its velocity in the world, in other components, and not zero.

References
----------
Modelica Standard Library 2.2.2, ``Modelica.Mechanics.MultiBody.Sensors``: AbsoluteSensor, RelativeSensor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core import angle_branches, frames, kernels, spatial
from framescope.core.arrays import Array, as_array, as_sequence, broadcast_leading
from framescope.core.orientation import Orientation, as_orientation, unchecked
from framescope.core.snapshot import Snapshot
from framescope.core.transform import Transform, as_pose

_WORLD = "world"
_UNITS = {"r": "m", "v": "m/s", "a": "m/s²", "angles": "rad", "w": "rad/s", "z": "rad/s²"}


@dataclass(frozen=True)
class AbsoluteSensor:
    """Sensor of the motion of a frame in the world.

    Parameters
    ----------
    frame_a
        Name of the frame that is measured.
    get_r, get_v, get_a
        Whether to measure position, velocity and acceleration of the frame's origin from the world's.
    get_angles
        Whether to measure the angles that turn the world into the frame.
    get_w, get_z
        Whether to measure the angular velocity and the angular acceleration of the frame.
    resolve_in_frame_a
        Whether vectors are resolved in the frame itself, and not in the world.
    frame_resolve
        Name of the frame that vectors are resolved in, whatever `resolve_in_frame_a` says; None is no such frame.
    sequence
        Axes of the angles, three with neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    guess_angle1
        Picks the branch of the angles: the first is near it, rad.
    animation
        Whether to draw the sensor.

    Raises
    ------
    ValueError
        When no quantity is on, a name is empty, `sequence` is invalid, or `guess_angle1` is not a finite number.

    Notes
    -----
    The reference calls what is on `get_r_abs` and so on.

    References
    ----------
    Modelica Standard Library 2.2.2, ``MultiBody.Sensors.AbsoluteSensor``; from 3.0 on it has an output for each
    quantity in place of the packed one.

    Examples
    --------
    >>> sensor = AbsoluteSensor("arm", get_w=True, resolve_in_frame_a=True)
    >>> R = frames.axis_rotation(3, np.pi / 2, 2.0)
    >>> sensor.measure([1, 0, 0], [0, 0, 0], [0, 0, 0], R, [0, 0, 0]).round(12)
    array([ 0., -1.,  0.,  0.,  0.,  2.])
    """

    frame_a: str
    get_r: bool = True
    get_v: bool = False
    get_a: bool = False
    get_angles: bool = False
    get_w: bool = False
    get_z: bool = False
    resolve_in_frame_a: bool = False
    frame_resolve: str | None = None
    sequence: str | tuple[int, ...] = (1, 2, 3)
    guess_angle1: float = 0
    animation: bool = True

    def __post_init__(self) -> None:
        _check_names(frame_a=self.frame_a, frame_resolve=self.frame_resolve)
        _check_angles(self.sequence, self.guess_angle1)
        if not self._on():
            raise ValueError(
                "get_r, get_v, get_a, get_angles, get_w, get_z: expected at least one to be on, got all off"
            )

    @property
    def resolved_in(self) -> str:
        """Name of the frame that vectors are resolved in.

        >>> AbsoluteSensor("arm").resolved_in
        'world'
        """
        if self.frame_resolve is not None:
            return self.frame_resolve
        return self.frame_a if self.resolve_in_frame_a else _WORLD

    @property
    def slices(self) -> Mapping[str, slice]:
        """Where each quantity that is on stands in the packed result, by name.

        >>> AbsoluteSensor("arm", get_angles=True).slices
        {'r': slice(0, 3, None), 'angles': slice(3, 6, None)}
        """
        return _slices(self._on())

    @property
    def labels(self) -> tuple[str, ...]:
        """What each element of the packed result is: quantity, component, unit, and where it is resolved.

        >>> AbsoluteSensor("arm", get_angles=True, sequence="ZXZ").labels[2:4]
        ('r_z [m] of arm, resolved in world', 'angle 1 about z [rad] of ZXZ, world into arm')
        """
        return _labels(self._on(), f"of {self.frame_a}", self.resolved_in, self.sequence, f"world into {self.frame_a}")

    def measure(
        self,
        r_0: ArrayLike,
        v_0: ArrayLike,
        a_0: ArrayLike,
        R: Orientation,
        z_0: ArrayLike,
        R_resolve: Orientation | None = None,
    ) -> Array:
        """Return what the sensor shows, packed.

        Parameters
        ----------
        r_0 : (..., 3)
            Position of the frame's origin from the world's, resolved in world, m.
        v_0, a_0 : (..., 3)
            First and second derivative of `r_0`, resolved in world, m/s and m/s².
        R : Orientation
            Orientation (...) of the frame in world, with its angular velocity.
        z_0 : (..., 3)
            Derivative of the angular velocity resolved in world, rad/s².
        R_resolve : Orientation
            Orientation (...) in world of `frame_resolve`, exactly when there is one.

        Returns
        -------
        (..., 3 k)
            The k quantities that are on, in the order r, v, a, angles, w, z. Their leading shape is that which all
            inputs broadcast to, those of quantities that are off among them. Angles are in (-pi, pi].

        Raises
        ------
        ValueError
            When a shape is wrong, a number is not finite, the leading axes do not broadcast, `R` is no `Orientation`,
            or `R_resolve` is missing or not wanted.

        Notes
        -----
        With `T` that of the frame resolved in, r, v, a and z are ``T r_0`` to ``T z_0`` and w is ``T Rᵀ R.w``, or
        `R.w` as it stands when resolved in the frame itself. Angles are not resolved. At the lock of the sequence the
        first angle is `guess_angle1`.

        Examples
        --------
        >>> sensor = AbsoluteSensor("arm", get_r=False, get_v=True, frame_resolve="base")
        >>> o, R = np.zeros(3), frames.null_rotation()
        >>> sensor.measure(o, [1, 0, 0], o, R, o, frames.axis_rotation(3, np.pi / 2)).round(12)
        array([ 0., -1.,  0.])
        """
        return self._measured(r_0, v_0, a_0, R, z_0, R_resolve, is_series=False)

    def measure_along(
        self,
        r_0: ArrayLike,
        v_0: ArrayLike,
        a_0: ArrayLike,
        R: Orientation,
        z_0: ArrayLike,
        R_resolve: Orientation | None = None,
    ) -> Array:
        """Return what the sensor shows over time, with angles that do not jump from branch to branch.

        Parameters
        ----------
        r_0, v_0, a_0, R, z_0, R_resolve
            As `measure` takes them, in the order of time: they broadcast to a leading shape (n,).

        Returns
        -------
        (n, 3 k)
            As `measure` gives it, but for the angles: each sample takes those nearest the sample before it, on either
            branch and any turn, and only the first one is picked by `guess_angle1`.

        Raises
        ------
        ValueError
            As `measure` does, and when the leading shape is not (n,).

        Notes
        -----
        See `framescope.core.angle_branches.axes_rotations_angles_along`.

        Examples
        --------
        >>> sensor = AbsoluteSensor("arm", get_r=False, get_angles=True, sequence="ZYX")
        >>> o, R = np.zeros(3), frames.axis_rotation(3, np.linspace(0.0, 10.0, 101))
        >>> sensor.measure_along(o, o, o, R, o)[-1].round(9)
        array([10.,  0.,  0.])
        """
        return self._measured(r_0, v_0, a_0, R, z_0, R_resolve, is_series=True)

    def output(self, snapshot: Snapshot) -> Array:
        """Return what the sensor shows of a scene, packed.

        Parameters
        ----------
        snapshot
            State of the scene at one time or at many.

        Returns
        -------
        (..., 3 k)
            As `measure` gives it, with the leading axes of the snapshot. Where a frame has no pose all is NaN, and
            where a velocity or an acceleration has no value what shows it.

        Raises
        ------
        KeyError
            When the scene has no frame of a name.

        Examples
        --------
        >>> from framescope.core.evaluate import compile_plan, evaluate
        >>> from framescope.core.scene.model import Scene
        >>> scene = Scene.model_validate({"framescope": 1, "frames": {"lift": {"parent": "world",
        ...     "position": {"value": [0, 0, "t**2"], "unit": "m"}}}})
        >>> AbsoluteSensor("lift", get_a=True).output(evaluate(compile_plan(scene), 3.0))
        array([0., 0., 9., 0., 0., 2.])
        """
        i = snapshot.index[self.frame_a]
        is_posed, R_resolve = snapshot.is_posed[..., i], None
        if self.frame_resolve is not None:
            j = snapshot.index[self.frame_resolve]
            is_posed = is_posed & snapshot.is_posed[..., j]
            R_resolve = Orientation(_posed(snapshot.R_WF[..., j, :, :], is_posed), np.zeros(3))
        R_WF = snapshot.R_WF[..., i, :, :]
        vectors = {
            "r": snapshot.p_WF[..., i, :],
            "v": snapshot.v_WF[..., i, :],
            "a": snapshot.a_WF[..., i, :],
            "w": snapshot.w_WF_F[..., i, :],
            "z": kernels.apply_matrix(R_WF, snapshot.b_WF_F[..., i, :]),
        }
        has_value = {name: np.isfinite(vector).all(axis=-1) & is_posed for name, vector in vectors.items()}
        r, v, a, w, z = (np.where(has_value[name][..., np.newaxis], vectors[name], 0.0) for name in vectors)
        shown = self.measure(r, v, a, Orientation(_posed(R_WF, is_posed), w), z, R_resolve)
        for name, place in self.slices.items():
            shown[~has_value.get(name, is_posed), place] = np.nan
        return shown

    def _on(self) -> tuple[str, ...]:
        is_on = {
            "r": self.get_r,
            "v": self.get_v,
            "a": self.get_a,
            "angles": self.get_angles,
            "w": self.get_w,
            "z": self.get_z,
        }
        return tuple(name for name, on in is_on.items() if on)

    def _measured(
        self,
        r_0: ArrayLike,
        v_0: ArrayLike,
        a_0: ArrayLike,
        R: Orientation,
        z_0: ArrayLike,
        R_resolve: Orientation | None,
        *,
        is_series: bool,
    ) -> Array:
        r_0, v_0, a_0 = as_array("r_0", r_0, (3,)), as_array("v_0", v_0, (3,)), as_array("a_0", a_0, (3,))
        R, z_0 = as_orientation("R", R), as_array("z_0", z_0, (3,))
        T_resolve = _wanted(R_resolve, self.frame_resolve, "frame_resolve")
        leading = _leading(
            is_series=is_series,
            r_0=r_0.shape[:-1],
            v_0=v_0.shape[:-1],
            a_0=a_0.shape[:-1],
            R=R.w.shape[:-1],
            z_0=z_0.shape[:-1],
            R_resolve=() if T_resolve is None else T_resolve.shape[:-2],
        )
        is_in_frame_a = T_resolve is None and self.resolve_in_frame_a
        T = R.T if is_in_frame_a else T_resolve
        found: list[Array] = []
        for name in self._on():
            if name == "angles":
                found.append(_angles(R, self.sequence, self.guess_angle1, leading, is_series=is_series))
            elif name == "w":
                found.append(R.w if is_in_frame_a else _resolved(T, kernels.apply_transposed(R.T, R.w)))
            else:
                found.append(_resolved(T, {"r": r_0, "v": v_0, "a": a_0, "z": z_0}[name]))
        return _packed(found, leading)


@dataclass(frozen=True)
class RelativeSensor:
    """Sensor of the motion of a frame b as it is seen from a frame a.

    Parameters
    ----------
    frame_a
        Name of the frame whose observer sees.
    frame_b
        Name of the frame that is seen.
    get_r_rel, get_v_rel, get_a_rel
        Whether to measure position, velocity and acceleration of frame b's origin from frame a's.
    get_angles
        Whether to measure the angles that turn frame a into frame b.
    get_w_rel, get_z_rel
        Whether to measure the angular velocity and the angular acceleration of frame b relative to frame a.
    resolve_in
        Name of the frame that vectors are resolved in: that of frame a or of frame b, ``"world"``, or any other; None
        is frame a.
    sequence
        Axes of the angles, three with neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    guess_angle1
        Picks the branch of the angles: the first is near it, rad.
    animation
        Whether to draw the sensor.

    Raises
    ------
    ValueError
        When no quantity is on, a name is empty, `sequence` is invalid, or `guess_angle1` is not a finite number.

    Notes
    -----
    Derivatives are those that an observer fixed in frame a sees: the position of b's origin from a's is resolved in
    frame a and then differentiated, and the angular velocity likewise. So what stands still in frame a has no relative
    velocity, however frame a turns. Whatever frame they are resolved in, this is the derivative, rotated: resolved in
    frame b or in world, `v_rel` is not the derivative of the `r_rel` that is shown.

    The reference's 2.2.2 does so too, with ``resolveInFrame_a = true``. With false it differentiates what is resolved
    in frame b, and so shows what frame b's observer sees, up to the sign: that is a sensor with the frames swapped,
    negated. It cannot resolve in world but by its connector `frame_resolve`.

    References
    ----------
    Modelica Standard Library 2.2.2, ``MultiBody.Sensors.RelativeSensor``.

    Examples
    --------
    The arm turns with 2 rad/s about z, and a post stands 1 m off in the world:

    >>> sensor = RelativeSensor("arm", "post", get_v_rel=True, get_w_rel=True)
    >>> X_WA, X_WB = Transform(np.eye(3), [0, 0, 0]), Transform(np.eye(3), [1, 0, 0])
    >>> sensor.measure(X_WA, [0, 0, 2, 0, 0, 0], np.zeros(6), X_WB, np.zeros(6), np.zeros(6))
    array([ 1.,  0.,  0.,  0., -2.,  0.,  0.,  0., -2.])
    """

    frame_a: str
    frame_b: str
    get_r_rel: bool = True
    get_v_rel: bool = False
    get_a_rel: bool = False
    get_angles: bool = False
    get_w_rel: bool = False
    get_z_rel: bool = False
    resolve_in: str | None = None
    sequence: str | tuple[int, ...] = (1, 2, 3)
    guess_angle1: float = 0
    animation: bool = True

    def __post_init__(self) -> None:
        _check_names(frame_a=self.frame_a, frame_b=self.frame_b, resolve_in=self.resolve_in)
        _check_angles(self.sequence, self.guess_angle1)
        if not self._on():
            raise ValueError(
                "get_r_rel, get_v_rel, get_a_rel, get_angles, get_w_rel, get_z_rel: expected at least one to be on,"
                " got all off"
            )

    @property
    def resolved_in(self) -> str:
        """Name of the frame that vectors are resolved in.

        >>> RelativeSensor("base", "arm").resolved_in
        'base'
        """
        return self.frame_a if self.resolve_in is None else self.resolve_in

    @property
    def needs_R_resolve(self) -> bool:
        """Whether vectors are resolved in a frame other than the two and the world, so that it must be handed in.

        >>> RelativeSensor("base", "arm", resolve_in="arm").needs_R_resolve
        False
        """
        return self.resolved_in not in {self.frame_a, self.frame_b, _WORLD}

    @property
    def slices(self) -> Mapping[str, slice]:
        """Where each quantity that is on stands in the packed result, by name.

        >>> RelativeSensor("base", "arm", get_v_rel=True).slices
        {'r_rel': slice(0, 3, None), 'v_rel': slice(3, 6, None)}
        """
        return _slices(self._on())

    @property
    def labels(self) -> tuple[str, ...]:
        """What each element of the packed result is: quantity, component, unit, and where it is resolved.

        >>> RelativeSensor("base", "arm", get_angles=True, resolve_in="world").labels[2:4]
        ('r_rel_z [m] of arm seen from base, resolved in world', 'angle 1 about x [rad] of XYZ, base into arm')
        """
        of = f"of {self.frame_b} seen from {self.frame_a}"
        return _labels(self._on(), of, self.resolved_in, self.sequence, f"{self.frame_a} into {self.frame_b}")

    def measure(
        self,
        X_WA: Transform,
        V_WA: ArrayLike,
        A_WA: ArrayLike,
        X_WB: Transform,
        V_WB: ArrayLike,
        A_WB: ArrayLike,
        R_resolve: Orientation | None = None,
    ) -> Array:
        """Return what the sensor shows, packed.

        Parameters
        ----------
        X_WA, X_WB : Transform
            Poses of frame a and of frame b in world.
        V_WA, V_WB : (..., 6)
            Their velocities in world, expressed in world, rad/s and m/s.
        A_WA, A_WB : (..., 6)
            Their accelerations in world, expressed in world, rad/s² and m/s².
        R_resolve : Orientation
            Orientation (...) in world of the frame `resolve_in`, exactly when that is not frame a, frame b or the
            world (see `needs_R_resolve`).

        Returns
        -------
        (..., 3 k)
            The k quantities that are on, in the order r_rel, v_rel, a_rel, angles, w_rel, z_rel. Their leading shape is
            that which all inputs broadcast to. Angles are in (-pi, pi].

        Raises
        ------
        ValueError
            When a shape is wrong, a number is not finite, the leading axes do not broadcast, a pose is no `Transform`,
            or `R_resolve` is missing or not wanted.

        Notes
        -----
        ``[w_rel, v_rel]`` and ``[z_rel, a_rel]`` are what `framescope.core.spatial.find_relative_velocity` and
        `find_relative_acceleration` give, resolved. Angles are those of ``R_WBᵀ R_WA``, and not resolved. At the lock
        of the sequence the first angle is `guess_angle1`.

        Examples
        --------
        A passenger stands still 1 m off the axis of a carousel, which turns with 2 rad/s; seen from the carousel:

        >>> sensor = RelativeSensor("carousel", "passenger", get_v_rel=True, get_a_rel=True)
        >>> X_WA, X_WB = Transform(np.eye(3), [0, 0, 0]), Transform(np.eye(3), [1, 0, 0])
        >>> V_WA, V_WB, A_WB = [0, 0, 2, 0, 0, 0], [0, 0, 2, 0, 2, 0], [0, 0, 0, -4, 0, 0]
        >>> sensor.measure(X_WA, V_WA, np.zeros(6), X_WB, V_WB, A_WB)[sensor.slices["a_rel"]]
        array([0., 0., 0.])
        """
        return self._measured(X_WA, V_WA, A_WA, X_WB, V_WB, A_WB, R_resolve, is_series=False)

    def measure_along(
        self,
        X_WA: Transform,
        V_WA: ArrayLike,
        A_WA: ArrayLike,
        X_WB: Transform,
        V_WB: ArrayLike,
        A_WB: ArrayLike,
        R_resolve: Orientation | None = None,
    ) -> Array:
        """Return what the sensor shows over time, with angles that do not jump from branch to branch.

        Parameters
        ----------
        X_WA, V_WA, A_WA, X_WB, V_WB, A_WB, R_resolve
            As `measure` takes them, in the order of time: they broadcast to a leading shape (n,).

        Returns
        -------
        (n, 3 k)
            As `measure` gives it, but for the angles: each sample takes those nearest the sample before it, on either
            branch and any turn, and only the first one is picked by `guess_angle1`.

        Raises
        ------
        ValueError
            As `measure` does, and when the leading shape is not (n,).

        Notes
        -----
        See `framescope.core.angle_branches.axes_rotations_angles_along`.

        Examples
        --------
        >>> sensor = RelativeSensor("base", "arm", get_r_rel=False, get_angles=True, sequence="ZYX")
        >>> o, X_WA = np.zeros(6), Transform(np.eye(3), [0, 0, 0])
        >>> R = frames.axis_rotation(3, np.linspace(0.0, 10.0, 101))
        >>> sensor.measure_along(X_WA, o, o, Transform.from_orientation(R, [0, 0, 0]), o, o)[-1].round(9)
        array([10.,  0.,  0.])
        """
        return self._measured(X_WA, V_WA, A_WA, X_WB, V_WB, A_WB, R_resolve, is_series=True)

    def output(self, snapshot: Snapshot) -> Array:
        """Return what the sensor shows of a scene, packed.

        Parameters
        ----------
        snapshot
            State of the scene at one time or at many.

        Returns
        -------
        (..., 3 k)
            As `measure` gives it, with the leading axes of the snapshot. Where a frame has no pose all is NaN, and
            where a velocity or an acceleration has no value what shows it.

        Raises
        ------
        KeyError
            When the scene has no frame of a name.

        Examples
        --------
        >>> from framescope.core.evaluate import compile_plan, evaluate
        >>> from framescope.core.scene.model import Scene
        >>> scene = Scene.model_validate({"framescope": 1, "frames": {"disc": {"parent": "world", "orientation":
        ...     {"form": "axis", "axis": "z", "angle": "2*t", "unit": "rad"}}, "bug": {"parent": "disc",
        ...     "position": {"value": ["3*t", 0, 0], "unit": "m"}}}})
        >>> sensor = RelativeSensor("disc", "bug", get_v_rel=True)
        >>> sensor.output(evaluate(compile_plan(scene), 1.0)).round(12)
        array([3., 0., 0., 3., 0., 0.])
        """
        i, j = snapshot.index[self.frame_a], snapshot.index[self.frame_b]
        is_posed, R_resolve = snapshot.is_posed[..., i] & snapshot.is_posed[..., j], None
        if self.needs_R_resolve:
            k = snapshot.index[self.resolved_in]
            is_posed = is_posed & snapshot.is_posed[..., k]
            R_resolve = Orientation(_posed(snapshot.R_WF[..., k, :, :], is_posed), np.zeros(3))
        poses: list[Transform] = []
        has_velocity, has_acceleration = is_posed, is_posed
        motions: list[Array] = []
        for row in (i, j):
            R_WF = snapshot.R_WF[..., row, :, :]
            p = np.where(is_posed[..., np.newaxis], snapshot.p_WF[..., row, :], 0.0)
            poses.append(Transform(kernels.transpose(_posed(R_WF, is_posed)), p))
            rates = (snapshot.w_WF_F, snapshot.v_WF), (snapshot.b_WF_F, snapshot.a_WF)
            V, A = (
                np.concatenate([kernels.apply_matrix(R_WF, w[..., row, :]), v[..., row, :]], axis=-1) for w, v in rates
            )
            has_velocity = has_velocity & np.isfinite(V).all(axis=-1)
            has_acceleration = has_acceleration & np.isfinite(A).all(axis=-1)
            motions += [V, A]
        has_value = {"v_rel": has_velocity, "w_rel": has_velocity, "a_rel": has_acceleration, "z_rel": has_acceleration}
        V_WA, A_WA, V_WB, A_WB = (np.where(np.isfinite(part), part, 0.0) for part in motions)
        shown = self.measure(poses[0], V_WA, A_WA, poses[1], V_WB, A_WB, R_resolve)
        for name, place in self.slices.items():
            shown[~has_value.get(name, is_posed), place] = np.nan
        return shown

    def _on(self) -> tuple[str, ...]:
        is_on = {
            "r_rel": self.get_r_rel,
            "v_rel": self.get_v_rel,
            "a_rel": self.get_a_rel,
            "angles": self.get_angles,
            "w_rel": self.get_w_rel,
            "z_rel": self.get_z_rel,
        }
        return tuple(name for name, on in is_on.items() if on)

    def _measured(
        self,
        X_WA: Transform,
        V_WA: ArrayLike,
        A_WA: ArrayLike,
        X_WB: Transform,
        V_WB: ArrayLike,
        A_WB: ArrayLike,
        R_resolve: Orientation | None,
        *,
        is_series: bool,
    ) -> Array:
        X_WA, V_WA, A_WA = as_pose("X_WA", X_WA), as_array("V_WA", V_WA, (6,)), as_array("A_WA", A_WA, (6,))
        X_WB, V_WB, A_WB = as_pose("X_WB", X_WB), as_array("V_WB", V_WB, (6,)), as_array("A_WB", A_WB, (6,))
        T_resolve = _wanted(R_resolve, self.resolve_in if self.needs_R_resolve else None, "resolve_in")
        leading = _leading(
            is_series=is_series,
            X_WA=X_WA.p_AB.shape[:-1],
            V_WA=V_WA.shape[:-1],
            A_WA=A_WA.shape[:-1],
            X_WB=X_WB.p_AB.shape[:-1],
            V_WB=V_WB.shape[:-1],
            A_WB=A_WB.shape[:-1],
            R_resolve=() if T_resolve is None else T_resolve.shape[:-2],
        )
        resolved_in = self.resolved_in
        if resolved_in in {self.frame_a, self.frame_b}:
            T = kernels.transpose((X_WA if resolved_in == self.frame_a else X_WB).R_AB)
        else:
            T = T_resolve
        on = self._on()
        with np.errstate(over="ignore"):
            vectors = {"r_rel": X_WB.p_AB - X_WA.p_AB}
        X_WA_upright, X_WB_upright = (Transform(np.eye(3), X.p_AB) for X in (X_WA, X_WB))  # so that all stays in world
        if {"v_rel", "w_rel"} & set(on):
            V_AB_W = spatial.find_relative_velocity(X_WA_upright, V_WA, X_WB_upright, V_WB)
            vectors |= {"v_rel": V_AB_W[..., 3:], "w_rel": V_AB_W[..., :3]}
        if {"a_rel", "z_rel"} & set(on):
            A_AB_W = spatial.find_relative_acceleration(X_WA_upright, V_WA, A_WA, X_WB_upright, V_WB, A_WB)
            vectors |= {"a_rel": A_AB_W[..., 3:], "z_rel": A_AB_W[..., :3]}
        found: list[Array] = []
        for name in on:
            if name == "angles":
                R_rel = frames.relative_rotation(X_WA.to_orientation(), X_WB.to_orientation())
                found.append(_angles(R_rel, self.sequence, self.guess_angle1, leading, is_series=is_series))
            else:
                found.append(_resolved(T, vectors[name]))
        return _packed(found, leading)


# --- What both share


def _posed(R_WF: Array, is_posed: NDArray[np.bool_]) -> Array:
    """Return transformation matrices (..., 3, 3) from world into a frame, no rotation where it has no pose."""
    return kernels.transpose(np.where(is_posed[..., np.newaxis, np.newaxis], R_WF, np.eye(3)))


def _check_names(**names: str | None) -> None:
    for argument, name in names.items():
        is_optional = argument in {"frame_resolve", "resolve_in"}
        if not (isinstance(name, str) and name) and not (is_optional and name is None):
            raise ValueError(f"{argument}: expected the name of a frame{' or None' * is_optional}, got {name!r}")


def _check_angles(sequence: str | tuple[int, ...], guess_angle1: float) -> None:
    as_sequence(sequence)
    guess = as_array("guess_angle1", guess_angle1)
    if guess.ndim:
        raise ValueError(f"guess_angle1: expected one number, got shape {guess.shape}")


def _slices(on: tuple[str, ...]) -> dict[str, slice]:
    return {name: slice(3 * i, 3 * i + 3) for i, name in enumerate(on)}


def _labels(
    on: tuple[str, ...], of: str, resolved_in: str, sequence: str | tuple[int, ...], turn: str
) -> tuple[str, ...]:
    letters = ["xyz"[axis - 1] for axis in as_sequence(sequence)]
    found: list[str] = []
    for name in on:
        if name == "angles":
            written = "".join(letters).upper()
            found += [f"angle {i} about {axis} [rad] of {written}, {turn}" for i, axis in enumerate(letters, 1)]
        else:
            unit = _UNITS[name.removesuffix("_rel")]
            found += [f"{name}_{axis} [{unit}] {of}, resolved in {resolved_in}" for axis in "xyz"]
    return tuple(found)


def _wanted(R_resolve: Orientation | None, frame: str | None, field: str) -> Array | None:
    """Return the matrix of the frame to resolve in, or raise when one is missing or not wanted."""
    if frame is None:
        if R_resolve is not None:
            raise ValueError(f"R_resolve: expected None, as {field} names no further frame, got one")
        return None
    if R_resolve is None:
        raise ValueError(f"R_resolve: expected the orientation of {frame!r}, as {field} names it, got None")
    return as_orientation("R_resolve", R_resolve).T


def _leading(*, is_series: bool, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    leading = broadcast_leading(**shapes)
    if is_series and len(leading) != 1:
        raise ValueError(f"{', '.join(shapes)}: expected a series in time, leading shape (n,), got {leading}")
    return leading


def _resolved(T: Array | None, v_W: Array) -> Array:
    return v_W if T is None else kernels.apply_matrix(T, v_W)


def _angles(
    R: Orientation, sequence: str | tuple[int, ...], guess: float, leading: tuple[int, ...], *, is_series: bool
) -> Array:
    if not is_series:
        return frames.axes_rotations_angles(R, sequence, guess)
    R = unchecked((np.broadcast_to(R.T, (*leading, 3, 3)), np.broadcast_to(R.w, (*leading, 3))))
    return angle_branches.axes_rotations_angles_along(R, sequence, guess)


def _packed(found: list[Array], leading: tuple[int, ...]) -> Array:
    return np.concatenate([np.broadcast_to(part, (*leading, 3)) for part in found], axis=-1)
