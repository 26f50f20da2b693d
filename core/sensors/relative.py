"""Sensor of the motion of one frame relative to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import frames, spatial
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_array
from framescope.core.orientation import Orientation
from framescope.core.sensors import packing
from framescope.core.snapshot import Snapshot
from framescope.core.transform import Transform, as_pose

_Motion = tuple[Transform, ArrayLike, ArrayLike]


@dataclass(frozen=True)
class RelativeSensor:
    """Sensor of the motion of a frame b seen from a frame a.

    Parameters
    ----------
    frame_a
        Name of the observing frame.
    frame_b
        Name of the observed frame.
    get_r_rel, get_v_rel, get_a_rel
        Whether to measure position, velocity and acceleration of frame b's origin relative to frame a's origin.
    get_angles
        Whether to measure the angles of the rotation from frame a into frame b.
    get_w_rel, get_z_rel
        Whether to measure the angular velocity and the angular acceleration of frame b relative to frame a.
    resolve_in
        Name of the frame that vectors are resolved in: frame a, frame b, ``"world"``, or any other; None for frame a.
    sequence
        Axes of the angles, three with neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    guess_angle1
        Guess of the first angle, which selects the branch of the angles, rad.
    animation
        Whether to draw the sensor.

    Raises
    ------
    ValueError
        When no quantity is selected, a name is empty, `sequence` is invalid, or `guess_angle1` is not a finite number.

    Notes
    -----
    The derivatives are those that an observer fixed in frame a sees: the position of b's origin from a's origin is
    resolved in frame a and then differentiated, as is the angular velocity. A point fixed in frame a therefore has no
    relative velocity, however frame a turns. Resolving in another frame only rotates the derivatives: resolved in frame
    b or in world, `v_rel` is not the derivative of the `r_rel` in the output.

    Version 2.2.2 of the reference agrees with ``resolveInFrame_a = true``. With ``false`` the reference differentiates
    vectors resolved in frame b, and so returns the negated output of a sensor with the frames swapped. It resolves in
    the world only through its connector `frame_resolve`.

    References
    ----------
    Modelica Standard Library 2.2.2, ``MultiBody.Sensors.RelativeSensor``.

    Examples
    --------
    The arm turns with 2 rad/s about z; the post is fixed in the world at a distance of 1 m:

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
        packing.check_names(frame_a=self.frame_a, frame_b=self.frame_b, resolve_in=self.resolve_in)
        packing.check_angles(self.sequence, self.guess_angle1)
        self._quantities()

    @property
    def resolved_in(self) -> str:
        """Name of the frame that vectors are resolved in.

        >>> RelativeSensor("base", "arm").resolved_in
        'base'
        """
        return self.frame_a if self.resolve_in is None else self.resolve_in

    @property
    def needs_R_resolve(self) -> bool:
        """Whether the caller must pass an orientation, because `resolve_in` is neither frame a, frame b nor the world.

        >>> RelativeSensor("base", "arm", resolve_in="arm").needs_R_resolve
        False
        """
        return self.resolved_in not in {self.frame_a, self.frame_b, packing.WORLD}

    @property
    def slices(self) -> Mapping[str, slice]:
        """Slice of each selected quantity in the packed output, by name.

        >>> RelativeSensor("base", "arm", get_v_rel=True).slices
        {'r_rel': slice(0, 3, None), 'v_rel': slice(3, 6, None)}
        """
        return packing.slices_of(self._quantities())

    @property
    def labels(self) -> tuple[str, ...]:
        """Label of each element of the packed output: quantity, component, unit, and frame it is resolved in.

        >>> RelativeSensor("base", "arm", get_angles=True, resolve_in="world").labels[2:4]
        ('r_rel_z [m] of arm seen from base, resolved in world', 'angle 1 about x [rad] of XYZ, base into arm')
        """
        of = f"of {self.frame_b} seen from {self.frame_a}"
        turn = f"{self.frame_a} into {self.frame_b}"
        return packing.labels_of(self._quantities(), of, self.resolved_in, self.sequence, turn)

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
        """Return the packed output of the sensor.

        Parameters
        ----------
        X_WA, X_WB : Transform
            Poses of frame a and of frame b in world.
        V_WA, V_WB : (..., 6)
            Velocities of frame a and frame b in world, expressed in world, rad/s and m/s.
        A_WA, A_WB : (..., 6)
            Accelerations of frame a and frame b in world, expressed in world, rad/s² and m/s².
        R_resolve : Orientation
            Orientation (...) of the frame `resolve_in` in world; required exactly when this is neither frame a, frame b
            nor the world (see `needs_R_resolve`).

        Returns
        -------
        (..., 3 k)
            The k selected quantities, in the order r_rel, v_rel, a_rel, angles, w_rel, z_rel. All inputs broadcast to
            the leading shape. Angles are in (-pi, pi].

        Raises
        ------
        ValueError
            When a shape is wrong, a number is not finite, the leading axes do not broadcast, a pose is not a
            `Transform`, or `R_resolve` is missing or superfluous.

        Notes
        -----
        ``[w_rel, v_rel]`` and ``[z_rel, a_rel]`` are the results of `framescope.core.spatial.find_relative_velocity`
        and `find_relative_acceleration`, resolved. The angles belong to ``R_WBᵀ R_WA``, in any frame to resolve in. At
        gimbal lock of the sequence the first angle is `guess_angle1`.

        Examples
        --------
        A passenger is at rest on a carousel that turns with 2 rad/s, 1 m from its axis. Seen from the carousel:

        >>> sensor = RelativeSensor("carousel", "passenger", get_v_rel=True, get_a_rel=True)
        >>> X_WA, X_WB = Transform(np.eye(3), [0, 0, 0]), Transform(np.eye(3), [1, 0, 0])
        >>> V_WA, V_WB, A_WB = [0, 0, 2, 0, 0, 0], [0, 0, 2, 0, 2, 0], [0, 0, 0, -4, 0, 0]
        >>> sensor.measure(X_WA, V_WA, np.zeros(6), X_WB, V_WB, A_WB)[sensor.slices["a_rel"]]
        array([0., 0., 0.])
        """
        return self._measure((X_WA, V_WA, A_WA), (X_WB, V_WB, A_WB), R_resolve, is_series=False)

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
        """Return the packed output over time, with angles that do not jump between branches.

        Parameters
        ----------
        X_WA, V_WA, A_WA, X_WB, V_WB, A_WB, R_resolve
            Arguments of `measure` in the order of time; they broadcast to a leading shape (n,).

        Returns
        -------
        (n, 3 k)
            Output as of `measure`, except for the angles: on either branch and with any whole turns, those nearest to
            the angles of the previous sample. `guess_angle1` selects the angles of the first sample only.

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
        return self._measure((X_WA, V_WA, A_WA), (X_WB, V_WB, A_WB), R_resolve, is_series=True)

    def output(self, snapshot: Snapshot) -> Array:
        """Return the packed output of the sensor in a scene.

        Parameters
        ----------
        snapshot
            State of the scene at one time or at many.

        Returns
        -------
        (..., 3 k)
            Output as of `measure`, with the leading axes of the snapshot. For a frame without a pose all quantities are
            NaN. A missing velocity or acceleration is NaN. Positions and angles are taken from the snapshot, other
            quantities from its smoothed motion.

        Raises
        ------
        KeyError
            When the scene has no frame of a given name.

        Examples
        --------
        >>> from framescope.core.evaluation.evaluate import compile_plan, evaluate
        >>> from framescope.core.scene.schema.model import Scene
        >>> scene = Scene.model_validate({"framescope": 1, "frames": {"disc": {"parent": "world", "orientation":
        ...     {"form": "axis", "axis": "z", "angle": "2*t", "unit": "rad"}}, "bug": {"parent": "disc",
        ...     "position": {"value": ["3*t", 0, 0], "unit": "m"}}}})
        >>> sensor = RelativeSensor("disc", "bug", get_v_rel=True)
        >>> sensor.output(evaluate(compile_plan(scene), 1.0)).round(12)
        array([3., 0., 0., 3., 0., 0.])
        """
        return packing.read_poses_and_rates(self._read, snapshot, self.slices)

    def _read(self, snapshot: Snapshot) -> Array:
        """Return the packed output from one snapshot, NaN for missing values."""
        i, j = snapshot.index[self.frame_a], snapshot.index[self.frame_b]
        is_posed, R_resolve = snapshot.is_posed[..., i] & snapshot.is_posed[..., j], None
        if self.needs_R_resolve:
            k = snapshot.index[self.resolved_in]
            is_posed = is_posed & snapshot.is_posed[..., k]
            R_resolve = Orientation(packing.matrices_of_poses(snapshot.R_WF[..., k, :, :], is_posed), np.zeros(3))
        poses: list[Transform] = []
        has_velocity, has_acceleration = is_posed, is_posed
        motions: list[Array] = []
        # The output depends only on the position of B from A. With A at the origin, no digits are lost far from the
        # world's origin.
        apart = snapshot.offset_W(self.frame_b, self.frame_a)
        for row, place in ((i, np.zeros_like(apart)), (j, apart)):
            R_WF = snapshot.R_WF[..., row, :, :]
            p = np.where(is_posed[..., np.newaxis], place, 0.0)
            poses.append(Transform(linear_algebra.transpose(packing.matrices_of_poses(R_WF, is_posed)), p))
            rates = (snapshot.w_WF_F, snapshot.v_WF), (snapshot.b_WF_F, snapshot.a_WF)
            V, A = (
                np.concatenate([linear_algebra.apply_matrix(R_WF, w[..., row, :]), v[..., row, :]], axis=-1)
                for w, v in rates
            )
            has_velocity = has_velocity & np.isfinite(V).all(axis=-1)
            has_acceleration = has_acceleration & np.isfinite(A).all(axis=-1)
            motions += [V, A]
        has_value = {"v_rel": has_velocity, "w_rel": has_velocity, "a_rel": has_acceleration, "z_rel": has_acceleration}
        V_WA, A_WA, V_WB, A_WB = (np.where(np.isfinite(part), part, 0.0) for part in motions)
        output = self.measure(poses[0], V_WA, A_WA, poses[1], V_WB, A_WB, R_resolve)
        return packing.set_missing_to_nan(output, self.slices, has_value, is_posed)

    def _quantities(self) -> tuple[str, ...]:
        """Return the names of the selected quantities."""
        return packing.selected_quantities(self, ("r_rel", "v_rel", "a_rel", "angles", "w_rel", "z_rel"))

    def _measure(self, of_a: _Motion, of_b: _Motion, R_resolve: Orientation | None, *, is_series: bool) -> Array:
        X_WA, V_WA, A_WA = _check_motion("A", *of_a)
        X_WB, V_WB, A_WB = _check_motion("B", *of_b)
        T_resolve = packing.resolving_matrix(R_resolve, self.resolve_in if self.needs_R_resolve else None, "resolve_in")
        leading = packing.leading_of(
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
            T = linear_algebra.transpose((X_WA if resolved_in == self.frame_a else X_WB).R_AB)
        else:
            T = T_resolve
        on = self._quantities()
        with np.errstate(over="ignore"):
            vectors = {"r_rel": X_WB.p_AB - X_WA.p_AB}
        X_WA_upright, X_WB_upright = (Transform(np.eye(3), X.p_AB) for X in (X_WA, X_WB))  # stays in world
        if {"v_rel", "w_rel"} & set(on):
            V_AB_W = spatial.find_relative_velocity(X_WA_upright, V_WA, X_WB_upright, V_WB)
            vectors |= {"v_rel": V_AB_W[..., 3:], "w_rel": V_AB_W[..., :3]}
        if {"a_rel", "z_rel"} & set(on):
            A_AB_W = spatial.find_relative_acceleration(X_WA_upright, V_WA, A_WA, X_WB_upright, V_WB, A_WB)
            vectors |= {"a_rel": A_AB_W[..., 3:], "z_rel": A_AB_W[..., :3]}
        quantities: list[Array] = []
        for name in on:
            if name == "angles":
                R_rel = frames.relative_rotation(X_WA.to_orientation(), X_WB.to_orientation())
                angles = packing.angles_of(R_rel, self.sequence, self.guess_angle1, leading, is_series=is_series)
                quantities.append(angles)
            else:
                quantities.append(packing.resolve(T, vectors[name]))
        return packing.pack(quantities, leading)


def _check_motion(frame: str, X: Transform, V: ArrayLike, A: ArrayLike) -> tuple[Transform, Array, Array]:
    """Return pose, velocity and acceleration of a frame in world, or raise `ValueError` naming the frame."""
    return as_pose(f"X_W{frame}", X), as_array(f"V_W{frame}", V, (6,)), as_array(f"A_W{frame}", A, (6,))
