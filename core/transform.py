"""Pose of one frame in another, after Simbody's `Transform`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.components import applied_to, negated, plus, product_of, transpose_of
from framescope.core.kernels.componentwise import Components, kernel, kernel_of_two
from framescope.core.kernels.validation import Array, as_array, as_rates, broadcast_leading, set_read_only
from framescope.core.orientation import (
    Orientation,
    QuaternionOrder,
    as_orientation,
    at_leading,
    leading_length,
    unchecked,
)


@dataclass(frozen=True, eq=False)
class Transform:
    """Pose of frame B in frame A: ``v_A = R_AB @ v_B`` for vectors, ``p_A = R_AB @ p_B + p_AB`` for points.

    Parameters
    ----------
    R_AB : (..., 3, 3)
        Rotation that takes vectors from B into A: its columns are the axes of B in A. It may have drifted; formulas use
        it without correction, and its transpose as its inverse.
    p_AB : (..., 3)
        Position of B's origin from A's, expressed in A, m.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    Both fields are read-only views with the same leading axes. Nothing is copied, so changes that the owner makes to
    the arrays are visible here.

    ``X_AB @ X_BC`` composes poses, ``X_AB @ p_B`` gives the position of a point from A's origin. ``X.shape`` is the
    shape of the leading axes; ``X[i]``, ``len(X)`` and iteration work along these axes, as in an array.

    References
    ----------
    Simbody 3.7, SimTKcommon ``Transform.h``.

    Examples
    --------
    >>> X_AB = Transform(np.eye(3), [1.0, 2.0, 3.0])
    >>> (X_AB @ X_AB).p_AB, X_AB @ [1.0, 0.0, 0.0]
    (array([2., 4., 6.]), array([2., 2., 3.]))
    >>> steps = Transform(np.eye(3), [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    >>> steps.shape, steps[1].p_AB, [float(step.p_AB[0]) for step in steps]
    ((2,), array([2., 0., 0.]), [1.0, 2.0])
    """

    R_AB: Array
    p_AB: Array

    __array_ufunc__ = None  # an array on the left of @ raises a TypeError

    def __post_init__(self) -> None:
        R_AB, p_AB = as_array("R_AB", self.R_AB, (3, 3)), as_array("p_AB", self.p_AB, (3,))
        if R_AB.shape[:-2] != p_AB.shape[:-1]:
            leading = broadcast_leading(R_AB=R_AB.shape[:-2], p_AB=p_AB.shape[:-1])
            R_AB, p_AB = np.broadcast_to(R_AB, (*leading, 3, 3)), np.broadcast_to(p_AB, (*leading, 3))
        set_read_only(self, R_AB=R_AB, p_AB=p_AB)

    def __reduce__(self) -> tuple[object, ...]:
        return _pose_of, (self.R_AB, self.p_AB)  # a copy is read-only too

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading axes: ``()`` for one pose, ``(n,)`` for a batch of n."""
        return self.p_AB.shape[:-1]

    def __len__(self) -> int:
        return leading_length(self)

    def __iter__(self) -> Iterator[Transform]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Transform:
        return _pose_of(at_leading(self.R_AB, index, 2), at_leading(self.p_AB, index, 1))

    @staticmethod
    def from_matrix(matrix: ArrayLike) -> Transform:
        """Return the pose of a homogeneous matrix.

        Parameters
        ----------
        matrix : (..., 4, 4)
            ``[[R_AB, p_AB], [0, 0, 0, 1]]``, with positions in m.

        Returns
        -------
        Transform
            Pose (...) of B in A.

        Raises
        ------
        ValueError
            When the shape is wrong, a number is not finite, or the last row is not 0, 0, 0, 1.

        Examples
        --------
        >>> Transform.from_matrix(np.eye(4)).p_AB
        array([0., 0., 0.])
        """
        M = as_array("matrix", matrix, (4, 4))
        if (M[..., 3, :] != (0.0, 0.0, 0.0, 1.0)).any():
            raise ValueError(
                "matrix: expected the last row 0, 0, 0, 1"
                " (a matrix that multiplies row vectors from the right has it as its last column: transpose it)"
            )
        return Transform(M[..., :3, :3], M[..., :3, 3])

    def to_matrix(self) -> Array:
        """Return the homogeneous matrix ``[[R_AB, p_AB], [0, 0, 0, 1]]``.

        Returns
        -------
        (..., 4, 4)
            ``matrix @ [*p_B, 1]`` is the position of a point from A's origin, m.

        Examples
        --------
        >>> Transform(np.eye(3), [1.0, 2.0, 3.0]).to_matrix()[0]
        array([1., 0., 0., 1.])
        """
        M = np.zeros((*self.shape, 4, 4))
        M[..., :3, :3], M[..., :3, 3], M[..., 3, 3] = self.R_AB, self.p_AB, 1.0
        return M

    @staticmethod
    def from_quaternion(q: ArrayLike, p_AB: ArrayLike, *, order: QuaternionOrder) -> Transform:
        """Return the pose of a unit quaternion and a position, as ROS and URDF libraries give them.

        Parameters
        ----------
        q : (..., 4)
            Hamilton's quaternion of B in A, ``v_A = q v_B conj(q)``.
        p_AB : (..., 3)
            Position of B's origin from A's, expressed in A, m.
        order
            ``"xyzw"`` with the scalar last, or ``"wxyz"`` with the scalar first.

        Returns
        -------
        Transform
            Pose (...) of B in A.

        Raises
        ------
        ValueError
            When the order is unknown, a shape is wrong, a number is not finite, the quaternion is not of unit length
            within 1e-6, or the leading axes do not broadcast.

        Examples
        --------
        >>> Transform.from_quaternion([0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0], order="xyzw").p_AB
        array([1., 0., 0.])
        """
        return Transform.from_orientation(Orientation.from_quaternion(q, order=order), p_AB)

    def to_quaternion(self, *, order: QuaternionOrder) -> Array:
        """Return the unit quaternion of the pose, with a scalar that is not negative.

        Parameters
        ----------
        order
            ``"xyzw"`` with the scalar last, or ``"wxyz"`` with the scalar first.

        Returns
        -------
        (..., 4)
            Hamilton's quaternion of B in A, ``v_A = q v_B conj(q)``.

        Raises
        ------
        ValueError
            When the order is unknown.

        Examples
        --------
        >>> Transform(np.eye(3), [1.0, 0.0, 0.0]).to_quaternion(order="xyzw")
        array([0., 0., 0., 1.])
        """
        return self.to_orientation().to_quaternion(order=order)

    @staticmethod
    def from_orientation(R: Orientation, p_AB: ArrayLike) -> Transform:
        """Return the pose of B in A from the orientation that takes A into B, and a position.

        Parameters
        ----------
        R : Orientation
            Orientation with A as frame 1 and B as frame 2; its `w` is not used.
        p_AB : (..., 3)
            Position of B's origin from A's, expressed in A, m.

        Returns
        -------
        Transform
            ``R_AB = R.Tᵀ`` and `p_AB`.

        Raises
        ------
        ValueError
            When `R` is not an `Orientation`, or `p_AB` has the wrong shape, is not finite, or does not broadcast with
            it.

        Examples
        --------
        >>> from framescope.core.frames import axis_rotation
        >>> X_AB = Transform.from_orientation(axis_rotation(3, np.pi / 2), [1.0, 0.0, 0.0])
        >>> X_AB.R_AB[0].round(12)
        array([ 0., -1.,  0.])
        """
        R, p_AB = as_orientation("R", R), as_array("p_AB", p_AB, (3,))
        leading = broadcast_leading(R=R.T.shape[:-2], p_AB=p_AB.shape[:-1])
        R_AB = np.broadcast_to(linear_algebra.transpose(R.T), (*leading, 3, 3))
        return _pose_of(R_AB, np.broadcast_to(p_AB, (*leading, 3)))

    def to_orientation(self, w: ArrayLike = 0) -> Orientation:
        """Return the orientation that takes A into B.

        Parameters
        ----------
        w : (..., 3)
            Angular velocity of B relative to A, resolved in B, rad/s; 0 is none.

        Returns
        -------
        Orientation
            ``T = R_ABᵀ`` and `w`; the position is `p_AB`.

        Raises
        ------
        ValueError
            When `w` has the wrong shape, is not finite, or does not broadcast with the pose.

        Examples
        --------
        >>> Transform(np.eye(3), [1.0, 0.0, 0.0]).to_orientation([0.0, 0.0, 2.0]).w
        array([0., 0., 2.])
        """
        w = as_rates("w", w)
        leading = broadcast_leading(X_AB=self.p_AB.shape[:-1], w=w.shape[:-1])
        T = np.broadcast_to(linear_algebra.transpose(self.R_AB), (*leading, 3, 3))
        return unchecked((T, np.broadcast_to(w, (*leading, 3))))

    def compose(self, X_BC: Transform) -> Transform:
        """Return the pose of C in A, given the pose of C in B; also written ``X_AB @ X_BC``.

        Parameters
        ----------
        X_BC : Transform
            Pose of C in B.

        Returns
        -------
        Transform
            `X_AC`, the pose of C in A.

        Raises
        ------
        ValueError
            When `X_BC` is not a `Transform` or the leading axes do not broadcast.

        Notes
        -----
        ``R_AC = R_AB R_BC``, ``p_AC = p_AB + R_AB p_BC``.

        Examples
        --------
        >>> X_AB = Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 0, 0])
        >>> X_AB.compose(Transform(np.eye(3), [2, 0, 0])).p_AB
        array([1., 2., 0.])
        """
        X_BC = as_pose("X_BC", X_BC)
        return _pose_of(*_compose(self.R_AB, self.p_AB, X_BC.R_AB, X_BC.p_AB, names=("X_AB", "X_AB", "X_BC", "X_BC")))

    @overload
    def __matmul__(self, other: Transform) -> Transform: ...

    @overload
    def __matmul__(self, other: ArrayLike) -> Array: ...

    def __matmul__(self, other: Transform | ArrayLike) -> Transform | Array:
        return self.compose(other) if isinstance(other, Transform) else self.shift_point(other)

    def inverse(self) -> Transform:
        """Return the pose of A in B.

        Returns
        -------
        Transform
            `X_BA`.

        Notes
        -----
        ``R_BA = R_ABᵀ``, ``p_BA = -R_ABᵀ p_AB``.

        Examples
        --------
        >>> Transform(np.eye(3), [1.0, 2.0, 3.0]).inverse().p_AB
        array([-1., -2., -3.])
        """
        return _pose_of(linear_algebra.transpose(self.R_AB), _inverse_position(self.R_AB, self.p_AB))

    def shift_point(self, p_B: ArrayLike) -> Array:
        """Return the position of a point from A's origin, given its position from B's origin.

        Parameters
        ----------
        p_B : (..., 3)
            Position of the point from B's origin, expressed in B, m.

        Returns
        -------
        (..., 3)
            Position from A's origin, expressed in A, m: ``p_AB + R_AB p_B``.

        Raises
        ------
        ValueError
            When `p_B` has the wrong shape, is not finite, or does not broadcast with the pose.

        Examples
        --------
        >>> Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 0, 0]).shift_point([2, 0, 0])
        array([1., 2., 0.])
        """
        p_B = as_array("p_B", p_B, (3,))
        return _shift_point(self.R_AB, self.p_AB, p_B, names=("X_AB", "X_AB", "p_B"))


def as_pose(name: str, X: Transform) -> Transform:
    """Return an argument that must be a pose, or raise an error with its name.

    Parameters
    ----------
    name
        Name of the argument.
    X : Transform
        The argument.

    Returns
    -------
    Transform
        `X` itself.

    Raises
    ------
    ValueError
        When `X` is not a `Transform`.

    Examples
    --------
    >>> as_pose("X_AB", np.eye(4))
    Traceback (most recent call last):
    ...
    ValueError: X_AB: expected a Transform(R_AB, p_AB), got ndarray
    """
    if type(X) is not Transform:
        raise ValueError(f"{name}: expected a Transform(R_AB, p_AB), got {type(X).__name__}")
    return X


def _pose_of(R_AB: Array, p_AB: Array) -> Transform:
    """Return the pose of two arrays with the same leading axes, without checks."""
    X = object.__new__(Transform)
    set_read_only(X, R_AB=R_AB, p_AB=p_AB)
    return X


@kernel_of_two((3, 3), (3,), (3, 3), (3,), gives=((3, 3), (3,)))
def _compose(R_AB: Components, p_AB: Components, R_BC: Components, p_BC: Components) -> Components:
    return (*product_of(R_AB, R_BC), *plus(p_AB, applied_to(R_AB, p_BC)))


@kernel((3, 3), (3,), gives=(3,))
def _inverse_position(R_AB: Components, p_AB: Components) -> Components:
    return negated(applied_to(transpose_of(R_AB), p_AB))


@kernel((3, 3), (3,), (3,), gives=(3,))
def _shift_point(R_AB: Components, p_AB: Components, p_B: Components) -> Components:
    return plus(p_AB, applied_to(R_AB, p_B))
