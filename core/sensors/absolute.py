"""Sensor of the motion of a frame in the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_array
from framescope.core.orientation import Orientation, as_orientation
from framescope.core.sensors import packing
from framescope.core.snapshot import Snapshot

STANDARD_GRAVITY_W = (0.0, 0.0, -9.80665)
"""Standard gravity, resolved in a world whose z axis points up, m/s²."""


@dataclass(frozen=True)
class AbsoluteSensor:
    """Sensor of the motion of a frame in the world.

    Parameters
    ----------
    frame_a
        Name of the measured frame.
    get_r, get_v, get_a
        Whether to measure position, velocity and acceleration of the frame's origin relative to the world's origin.
    get_angles
        Whether to measure the angles of the rotation from the world into the frame.
    get_w, get_z
        Whether to measure the angular velocity and the angular acceleration of the frame.
    resolve_in_frame_a
        Whether vectors are resolved in the frame itself instead of the world.
    frame_resolve
        Name of the frame that vectors are resolved in; overrides `resolve_in_frame_a` unless None.
    sequence
        Axes of the angles, three with neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    guess_angle1
        Guess of the first angle, which selects the branch of the angles, rad.
    animation
        Whether to draw the sensor.
    get_s
        Whether to measure the specific force at the frame's origin, as an accelerometer does.
    gravity_W
        Acceleration of free fall for the specific force, resolved in world, m/s².

    Raises
    ------
    ValueError
        When no quantity is selected, a name is empty, `sequence` is invalid, or `guess_angle1` or a component of
        `gravity_W` is not a finite number.

    Notes
    -----
    In the reference, the switches are named `get_r_abs` and so on. It has no specific force.

    References
    ----------
    Modelica Standard Library 2.2.2, ``MultiBody.Sensors.AbsoluteSensor``; since version 3.0 each quantity has its own
    output.

    Examples
    --------
    >>> from framescope.core import frames
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
    get_s: bool = False
    gravity_W: tuple[float, float, float] = STANDARD_GRAVITY_W

    def __post_init__(self) -> None:
        as_array("gravity_W", self.gravity_W, (3,))
        packing.check_names(frame_a=self.frame_a, frame_resolve=self.frame_resolve)
        packing.check_angles(self.sequence, self.guess_angle1)
        self._quantities()

    @property
    def resolved_in(self) -> str:
        """Name of the frame that vectors are resolved in.

        >>> AbsoluteSensor("arm").resolved_in
        'world'
        """
        if self.frame_resolve is not None:
            return self.frame_resolve
        return self.frame_a if self.resolve_in_frame_a else packing.WORLD

    @property
    def slices(self) -> Mapping[str, slice]:
        """Slice of each selected quantity in the packed output, by name.

        >>> AbsoluteSensor("arm", get_angles=True).slices
        {'r': slice(0, 3, None), 'angles': slice(3, 6, None)}
        """
        return packing.slices_of(self._quantities())

    @property
    def labels(self) -> tuple[str, ...]:
        """Label of each element of the packed output: quantity, component, unit, and frame it is resolved in.

        >>> AbsoluteSensor("arm", get_angles=True, sequence="ZXZ").labels[2:4]
        ('r_z [m] of arm, resolved in world', 'angle 1 about z [rad] of ZXZ, world into arm')
        """
        return packing.labels_of(
            self._quantities(), f"of {self.frame_a}", self.resolved_in, self.sequence, f"world into {self.frame_a}"
        )

    def measure(
        self,
        r_0: ArrayLike,
        v_0: ArrayLike,
        a_0: ArrayLike,
        R: Orientation,
        z_0: ArrayLike,
        R_resolve: Orientation | None = None,
    ) -> Array:
        """Return the packed output of the sensor.

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
            Orientation (...) of `frame_resolve` in world; required exactly when `frame_resolve` is set.

        Returns
        -------
        (..., 3 k)
            The k selected quantities, in the order r, v, a, angles, w, z, s. All inputs broadcast to the leading shape,
            including inputs of other quantities. Angles are in (-pi, pi].

        Raises
        ------
        ValueError
            When a shape is wrong, a number is not finite, the leading axes do not broadcast, `R` is not an
            `Orientation`, or `R_resolve` is missing or superfluous.

        Notes
        -----
        Let `T` be the matrix from the world into the frame that vectors are resolved in. Then r, v, a and z are
        ``T r_0`` to ``T z_0``, s is ``T (a_0 - gravity_W)``, and w is ``T Rᵀ R.w``, or ``R.w`` when resolved in the
        frame itself. The angles do not depend on this frame. At gimbal lock of the sequence the first angle is
        `guess_angle1`.

        Examples
        --------
        >>> from framescope.core import frames
        >>> sensor = AbsoluteSensor("arm", get_r=False, get_v=True, frame_resolve="base")
        >>> o, R = np.zeros(3), frames.null_rotation()
        >>> sensor.measure(o, [1, 0, 0], o, R, o, frames.axis_rotation(3, np.pi / 2)).round(12)
        array([ 0., -1.,  0.])
        """
        return self._measure((r_0, v_0, a_0), R, z_0, R_resolve, is_series=False)

    def measure_along(
        self,
        r_0: ArrayLike,
        v_0: ArrayLike,
        a_0: ArrayLike,
        R: Orientation,
        z_0: ArrayLike,
        R_resolve: Orientation | None = None,
    ) -> Array:
        """Return the packed output over time, with angles that do not jump between branches.

        Parameters
        ----------
        r_0, v_0, a_0, R, z_0, R_resolve
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
        >>> from framescope.core import frames
        >>> sensor = AbsoluteSensor("arm", get_r=False, get_angles=True, sequence="ZYX")
        >>> o, R = np.zeros(3), frames.axis_rotation(3, np.linspace(0.0, 10.0, 101))
        >>> sensor.measure_along(o, o, o, R, o)[-1].round(9)
        array([10.,  0.,  0.])
        """
        return self._measure((r_0, v_0, a_0), R, z_0, R_resolve, is_series=True)

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
        >>> scene = Scene.model_validate({"framescope": 1, "frames": {"lift": {"parent": "world",
        ...     "position": {"value": [0, 0, "t**2"], "unit": "m"}}}})
        >>> AbsoluteSensor("lift", get_a=True).output(evaluate(compile_plan(scene), 3.0))
        array([0., 0., 9., 0., 0., 2.])
        """
        return packing.read_poses_and_rates(self._read, snapshot, self.slices)

    def _read(self, snapshot: Snapshot) -> Array:
        """Return the packed output from one snapshot, NaN for missing values."""
        i = snapshot.index[self.frame_a]
        is_posed, R_resolve = snapshot.is_posed[..., i], None
        if self.frame_resolve is not None:
            j = snapshot.index[self.frame_resolve]
            is_posed = is_posed & snapshot.is_posed[..., j]
            R_resolve = Orientation(packing.matrices_of_poses(snapshot.R_WF[..., j, :, :], is_posed), np.zeros(3))
        R_WF = snapshot.R_WF[..., i, :, :]
        vectors = {
            "r": snapshot.p_WF[..., i, :],
            "v": snapshot.v_WF[..., i, :],
            "a": snapshot.a_WF[..., i, :],
            "w": snapshot.w_WF_F[..., i, :],
            "z": linear_algebra.apply_matrix(R_WF, snapshot.b_WF_F[..., i, :]),
        }
        has_value = {name: np.isfinite(vector).all(axis=-1) & is_posed for name, vector in vectors.items()}
        has_value["s"] = has_value["a"]
        r, v, a, w, z = (np.where(has_value[name][..., np.newaxis], vectors[name], 0.0) for name in vectors)
        output = self.measure(r, v, a, Orientation(packing.matrices_of_poses(R_WF, is_posed), w), z, R_resolve)
        return packing.set_missing_to_nan(output, self.slices, has_value, is_posed)

    def _quantities(self) -> tuple[str, ...]:
        """Return the names of the selected quantities."""
        return packing.selected_quantities(self, ("r", "v", "a", "angles", "w", "z", "s"))

    def _measure(
        self,
        vectors: tuple[ArrayLike, ArrayLike, ArrayLike],
        R: Orientation,
        z_0: ArrayLike,
        R_resolve: Orientation | None,
        *,
        is_series: bool,
    ) -> Array:
        r_0, v_0, a_0 = (
            as_array(name, vector, (3,)) for name, vector in zip(("r_0", "v_0", "a_0"), vectors, strict=True)
        )
        R, z_0 = as_orientation("R", R), as_array("z_0", z_0, (3,))
        T_resolve = packing.resolving_matrix(R_resolve, self.frame_resolve, "frame_resolve")
        leading = packing.leading_of(
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
        vectors_W = {"r": r_0, "v": v_0, "a": a_0, "z": z_0, "s": a_0 - np.array(self.gravity_W)}
        quantities: list[Array] = []
        for name in self._quantities():
            if name == "angles":
                quantities.append(packing.angles_of(R, self.sequence, self.guess_angle1, leading, is_series=is_series))
            elif name == "w":
                w = R.w if is_in_frame_a else packing.resolve(T, linear_algebra.apply_transposed(R.T, R.w))
                quantities.append(w)
            else:
                quantities.append(packing.resolve(T, vectors_W[name]))
        return packing.pack(quantities, leading)
