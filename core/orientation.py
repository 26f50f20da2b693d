"""The orientation object of Modelica `MultiBody.Frames`: a transformation matrix with its angular velocity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_array, as_rates, broadcast_leading, set_read_only

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

QuaternionOrder = Literal["xyzw", "wxyz"]
"""Order of the components of a quaternion: scalar last, or scalar first."""


@dataclass(frozen=True, eq=False)
class Orientation:
    """Orientation of frame 2 in frame 1 with its angular velocity.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix, ``v2 = T @ v1``. It may have drifted; formulas use it without correction.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    Both fields are read-only views with the same leading axes. Nothing is copied, so changes that the owner makes to
    the arrays are visible here.

    ``R @ v1`` resolves a vector in frame 2, ``R_12 @ R_01`` composes orientations as their matrices multiply.
    ``R.shape`` is the shape of the leading axes; ``R[i]``, ``len(R)`` and iteration work along these axes, as in an
    array.

    Examples
    --------
    >>> import numpy as np
    >>> R = Orientation([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [0.0, 0.0, 1.0])  # a quarter turn about z
    >>> R.w, R @ [1.0, 0.0, 0.0]
    (array([0., 0., 1.]), array([ 0., -1.,  0.]))
    >>> (R @ R).T[0], (R @ R.inverse()).w
    (array([-1.,  0.,  0.]), array([0., 0., 0.]))
    """

    T: Array
    w: Array

    __array_ufunc__ = None  # an array on the left of @ raises a TypeError

    def __post_init__(self) -> None:
        T, w = as_array("T", self.T, (3, 3)), as_array("w", self.w, (3,))
        if T.shape[:-2] != w.shape[:-1]:
            leading = broadcast_leading(T=T.shape[:-2], w=w.shape[:-1])
            T, w = np.broadcast_to(T, (*leading, 3, 3)), np.broadcast_to(w, (*leading, 3))
        set_read_only(self, T=T, w=w)

    def __reduce__(self) -> tuple[object, ...]:
        return unchecked, ((self.T, self.w),)  # a copy is read-only too

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading axes: ``()`` for one orientation, ``(n,)`` for a batch of n."""
        return self.w.shape[:-1]

    def __len__(self) -> int:
        return leading_length(self)

    def __iter__(self) -> Iterator[Orientation]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Orientation:
        return unchecked((at_leading(self.T, index, 2), at_leading(self.w, index, 1)))

    @overload
    def __matmul__(self, other: Orientation) -> Orientation: ...

    @overload
    def __matmul__(self, other: ArrayLike) -> Array: ...

    def __matmul__(self, other: Orientation | ArrayLike) -> Orientation | Array:
        if isinstance(other, Orientation):
            names = ("right factor", "right factor", "left factor", "left factor")
            return unchecked(linear_algebra.absolute_rotation(other.T, other.w, self.T, self.w, names=names))
        return linear_algebra.apply_matrix.checked(("orientation", "vector"), self.T, other, n_trusted=1)

    def inverse(self) -> Orientation:
        """Return the orientation of frame 1 in frame 2.

        Returns
        -------
        Orientation
            Its matrix is ``Tᵀ``, its angular velocity ``-Tᵀ w``.

        Examples
        --------
        >>> import numpy as np
        >>> Orientation(np.eye(3), [0.0, 0.0, 1.0]).inverse().w
        array([-0., -0., -1.])
        """
        return unchecked(linear_algebra.inverse_rotation(self.T, self.w))

    @staticmethod
    def from_quaternion(q: ArrayLike, *, order: QuaternionOrder, w: ArrayLike = 0) -> Orientation:
        """Return the orientation of a unit quaternion.

        Parameters
        ----------
        q : (..., 4)
            Hamilton's quaternion, ``v1 = q v2 conj(q)``: the quaternion Q of Modelica, scipy and ROS.
        order
            ``"xyzw"`` with the scalar last, or ``"wxyz"`` with the scalar first.
        w : (..., 3)
            Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s; 0 is none.

        Returns
        -------
        Orientation
            Orientation (...) of frame 2 in frame 1.

        Raises
        ------
        ValueError
            When the order is unknown, a shape is wrong, a number is not finite, the quaternion is not of unit length
            within 1e-6, or the leading axes do not broadcast.

        Examples
        --------
        >>> Orientation.from_quaternion([1.0, 0.0, 0.0, 0.0], order="wxyz").T[0]
        array([1., 0., 0.])
        """
        Q = in_order("q", as_array("q", q, (4,)), order, "xyzw")
        lengths = np.linalg.norm(Q, axis=-1)
        worst = np.max(np.abs(lengths - 1.0), initial=0.0)
        if not worst <= 1e-6:
            raise ValueError(f"q: expected unit length within 1e-06, got a length off by {worst:.3g}")
        return Orientation(linear_algebra.matrix_from_quaternion(Q), as_rates("w", w))

    def to_quaternion(self, *, order: QuaternionOrder) -> Array:
        """Return the unit quaternion of the orientation, with a scalar that is not negative.

        Parameters
        ----------
        order
            ``"xyzw"`` with the scalar last, or ``"wxyz"`` with the scalar first.

        Returns
        -------
        (..., 4)
            Hamilton's quaternion, ``v1 = q v2 conj(q)``.

        Raises
        ------
        ValueError
            When the order is unknown.

        Examples
        --------
        >>> import numpy as np
        >>> Orientation(np.eye(3), [0.0, 0.0, 0.0]).to_quaternion(order="wxyz")
        array([1., 0., 0., 0.])
        """
        Q = linear_algebra.quaternion_from_matrix(self.T, linear_algebra.NO_TURN)
        return in_order("q", Q, "xyzw", order)

    @staticmethod
    def from_scipy(rotation: Rotation, w: ArrayLike = 0) -> Orientation:
        """Return the orientation of a rotation of scipy that takes vectors from frame 2 into frame 1.

        Parameters
        ----------
        rotation
            ``v1 = rotation.apply(v2)``: it turns frame 1 into frame 2.
        w : (..., 3)
            Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s; 0 is none.

        Returns
        -------
        Orientation
            Its matrix is the transpose of ``rotation.as_matrix()``.

        Raises
        ------
        ValueError
            When `w` has a wrong shape or is not finite, or the leading axes do not broadcast.

        Examples
        --------
        >>> from scipy.spatial.transform import Rotation
        >>> Orientation.from_scipy(Rotation.from_euler("Z", 90, degrees=True)).T[0].round(12)
        array([0., 1., 0.])
        """
        return Orientation(linear_algebra.transpose(rotation.as_matrix()), as_rates("w", w))

    def to_scipy(self) -> Rotation:
        """Return the rotation of scipy that takes vectors from frame 2 into frame 1.

        Returns
        -------
        scipy.spatial.transform.Rotation
            ``v1 = rotation.apply(v2)``. A drifted matrix becomes the nearest rotation, as in scipy.

        Examples
        --------
        >>> import numpy as np
        >>> float(Orientation(np.eye(3), [0.0, 0.0, 0.0]).to_scipy().magnitude())
        0.0
        """
        from scipy.spatial.transform import Rotation

        return Rotation.from_matrix(linear_algebra.transpose(self.T))


def leading_length(batch: Any) -> int:
    """Return the length of the first leading axis of a batch; raise `TypeError` for a single orientation or pose."""
    if not batch.shape:
        raise TypeError(f"one {type(batch).__name__} has no length: it is no batch")
    return batch.shape[0]


def at_leading(array: Array, index: Any, n_inner: int) -> Array:
    """Return part of an array by an index into its leading axes; its last axes stay whole.

    Raises
    ------
    IndexError
        When the index does not fit the leading axes.

    Examples
    --------
    >>> import numpy as np
    >>> at_leading(np.arange(12).reshape(2, 2, 3), (..., 0), 1)
    array([[0, 1, 2],
           [6, 7, 8]])
    """
    inner = (slice(None),) * n_inner
    given = cast("tuple[Any, ...]", index if isinstance(index, tuple) else (index,))
    if not any(entry is Ellipsis for entry in given):
        given = (*given, Ellipsis)
    return array[(*given, *inner)]


def in_order(name: str, quaternion: Array, given: str, wanted: str) -> Array:
    """Return a quaternion with its components in another order; raise `ValueError` for an unknown order."""
    for order in (given, wanted):
        if order not in ("xyzw", "wxyz"):
            raise ValueError(f"{name}: expected the order 'xyzw' or 'wxyz', got {order!r}")
    if given == wanted:
        return quaternion
    return np.roll(quaternion, -1 if given == "wxyz" else 1, axis=-1)


def unchecked(T_and_w: tuple[Array, Array]) -> Orientation:
    """Return the orientation of arrays from a kernel, without checks.

    Parameters
    ----------
    T_and_w
        Transformation matrices (..., 3, 3) from frame 1 into frame 2, and angular velocities (..., 3) of frame 2
        relative to frame 1, resolved in frame 2, rad/s: float64, with the same leading axes.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1, with read-only views of both.

    Notes
    -----
    Numbers that have overflowed are kept.

    Examples
    --------
    >>> import numpy as np
    >>> unchecked((np.eye(3), np.zeros(3))).w
    array([0., 0., 0.])
    """
    R = object.__new__(Orientation)
    T, w = T_and_w
    set_read_only(R, T=T, w=w)
    return R


def orientation_of(T: Array, w: Array) -> Orientation:
    """Return the orientation of computed arrays whose leading axes are known to broadcast.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2, float64.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s, float64.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1, with read-only views of both, broadcast to common leading axes.

    Notes
    -----
    The numbers are not checked: they may have overflowed.

    Examples
    --------
    >>> import numpy as np
    >>> orientation_of(np.eye(3), np.zeros((2, 3))).T.shape
    (2, 3, 3)
    """
    leading = np.broadcast_shapes(T.shape[:-2], w.shape[:-1])
    return unchecked((np.broadcast_to(T, (*leading, 3, 3)), np.broadcast_to(w, (*leading, 3))))


def as_orientation(name: str, R: Orientation) -> Orientation:
    """Return an argument that must be an orientation, or raise an error with its name.

    Parameters
    ----------
    name
        Name of the argument.
    R : Orientation
        The argument.

    Returns
    -------
    Orientation
        `R` itself.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`. An array has an attribute `T` too, its transpose.

    Examples
    --------
    >>> import numpy as np
    >>> as_orientation("R", np.eye(3))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: R: expected an Orientation(T, w), got ndarray ...
    """
    if type(R) is not Orientation:
        raise ValueError(
            f"{name}: expected an Orientation(T, w), got {type(R).__name__}"
            " (plain matrices are for transformation_matrices, quaternions for quaternions)"
        )
    return R
