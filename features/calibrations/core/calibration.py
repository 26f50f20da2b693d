"""Content of a calibration, in whatever dialect: fixed poses of frames, lenses of cameras, and what is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.conventions.matrix_problems import matrix_problem
from framescope.core.errors import FramescopeError, Problem, Severity, visible_text
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.motions import Recorded
from framescope.core.transform import Transform


class CalibrationError(FramescopeError):
    """A file of a known dialect whose numbers cannot be used."""


class ExcerptError(CalibrationError):
    """Numbers of which a file holds a few only, as an excerpt does."""


def lens_problem(entry: str, error: CalibrationError) -> Problem:
    """Return the problem of a lens that is not drawn; a note if the file holds a part of it only.

    >>> lens_problem("Camera", ExcerptError("the file has no Camera.fy.")).severity
    'note'
    """
    severity: Severity = "note" if isinstance(error, ExcerptError) else "red"
    return Problem((entry,), f"the lens is left out: {error}", severity=severity)


LEAST_FOCAL, LARGEST_FOCAL = 1e-6, 1e9
"""Focal lengths beyond which they are none, pixels."""

LARGEST_SIDE = 1_000_000
"""Width or height of an image from which it is no such, pixels."""


@dataclass(frozen=True)
class Turn:
    """Numbers of a rotation that a file does not write as a matrix.

    Attributes
    ----------
    form
        ``"quaternion"`` or ``"angles"``.
    numbers
        The numbers as the file has them.
    order
        ``"xyzw"`` or ``"wxyz"``; of angles the axes in the order of the numbers: ``"ZYX"`` about moving axes, ``"xyz"``
        about fixed ones.
    unit
        ``"rad"`` or ``"deg"`` of angles.
    """

    form: Literal["quaternion", "angles"]
    numbers: tuple[float, ...]
    order: str
    unit: Literal["rad", "deg"] = "rad"


@dataclass(frozen=True, eq=False)
class Edge:
    """Fixed pose of one frame in another, as an entry of a file holds it.

    Attributes
    ----------
    parent, child
        Names of the frames.
    X_file : Transform
        Pose with the numbers of the file, m: of the child in the parent, or of the parent in the child if `is_inverse`.
        Its rotation may be off a rotation.
    entry
        Place of the numbers in the file, such as ``"cam0.T_cam_imu"``.
    is_inverse
        Whether the file holds the pose of the parent in the child.
    doubt
        Why the other direction may be meant; empty if the dialect states the direction.
    turn
        Rotation as the file writes it, if that is no matrix. Other orders and units of it are then among the faults for
        which a rig is searched.
    line
        Line of the entry in the file, from 1, of an entry that has a doubt; None where it is not known.
    """

    parent: str
    child: str
    X_file: Transform
    entry: str
    is_inverse: bool = False
    doubt: str = ""
    turn: Turn | None = None
    line: int | None = None

    @property
    def X_PC(self) -> Transform:
        """Pose of the child in the parent, m."""
        return inverse_pose(self.X_file) if self.is_inverse else self.X_file

    @property
    def takes(self) -> tuple[str, str]:
        """Frames from which and to which the numbers of the file take points.

        >>> Edge("imu", "cam0", Transform(np.eye(3), np.zeros(3)), "cam0.T_cam_imu", is_inverse=True).takes
        ('imu', 'cam0')
        """
        return (self.parent, self.child) if self.is_inverse else (self.child, self.parent)

    @property
    def words(self) -> str:
        """Direction of the numbers in words, such as ``"takes points of imu to cam0"``."""
        start, end = map(visible_text, self.takes)
        return f"takes points of {start} to {end}"


def nearest_orthogonal(R: Array) -> tuple[Array, bool]:
    """Return the rotation nearest to a matrix, or the reflection if it mirrors, and whether it is a rotation.

    >>> nearest_orthogonal(np.diag([1.0, 1.0, -1.001]))[1]
    False
    """
    is_proper = bool(np.linalg.det(R) > 0.0)
    matrix, _ = nearest_rotation(R if is_proper else -R)
    return (matrix if is_proper else -matrix), is_proper


def inverse_pose(X: Transform) -> Transform:
    """Return the inverse of a pose, whose inverse has the same numbers again, also of a matrix that is no rotation.

    The matrix is transposed, and the position is moved by the rotation nearest to the matrix.

    >>> X = Transform([[1.0, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 2.0, 3.0])
    >>> inverse_pose(inverse_pose(X)).p_AB.round(12)
    array([1., 2., 3.])
    """
    R, _ = nearest_orthogonal(X.R_AB)
    return Transform(X.R_AB.T, -R.T @ X.p_AB)


def edge_of(entry: str, takes: tuple[str, str], X_file: Transform, parent: str, doubt: str = "") -> Edge:
    """Return the edge of numbers that take points of the first frame of `takes` to the second.

    `parent` is the one of the two frames that carries the other.

    >>> edge_of("T_cam_imu", ("imu", "cam0"), Transform(np.eye(3), [0.0, 0.0, 1.0]), "imu").X_PC.p_AB + 0.0
    array([ 0.,  0., -1.])
    """
    start, end = takes
    if parent == end:
        return Edge(parent, start, X_file, entry, doubt=doubt)
    return Edge(parent, end, X_file, entry, is_inverse=True, doubt=doubt)


@dataclass(frozen=True, eq=False)
class Lens:
    """Camera of a calibration.

    Attributes
    ----------
    frame
        Name of its optical frame: z forward, x right and y down in the image.
    size
        Width and height of the image, pixels; None if the file has none.
    focal, center : (2,)
        Focal lengths and principal point, pixels.
    model
        Model of the distortion: ``"none"``, ``"radtan"`` (plumb bob), ``"equidistant"`` (fisheye), or the name that the
        file has for another model, which is kept and not projected.
    coefficients
        Coefficients of the distortion, in the order of the file.
    name
        Name of the camera in the file, such as its topic; may be empty.
    picture
        Name of a picture beside the file; empty for none.

    Raises
    ------
    CalibrationError
        When a focal length or a size is not positive, or out of all proportion.
    """

    frame: str
    size: tuple[int, int] | None
    focal: tuple[float, float]
    center: tuple[float, float]
    model: str = "none"
    coefficients: tuple[float, ...] = ()
    name: str = ""
    picture: str = ""

    def __post_init__(self) -> None:
        who = visible_text(self.frame)
        if not all(LEAST_FOCAL < length < LARGEST_FOCAL for length in self.focal):
            raise CalibrationError(f"{who}: expected focal lengths above 0 pixels, got {_listed(self.focal)}.")
        if self.size is not None and not all(0 < side < LARGEST_SIDE for side in self.size):
            raise CalibrationError(f"{who}: expected an image of at least 1 x 1 pixel, got {_listed(self.size)}.")


def _listed(numbers: Iterable[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


@dataclass(frozen=True, eq=False)
class PoseList:
    """Poses of one moving frame, such as of the camera of a reconstruction.

    Attributes
    ----------
    parent, child
        Names of the frames.
    X_PC : Transform
        Poses of the child in the parent (n,), m or in the unit of the reconstruction.
    labels
        Names of the poses, such as of pictures (n).
    times : (n,) or None
        Times, s; None if the file has none: then the poses are numbered.
    is_inverse
        Whether the file holds the poses of the parent in the child, as COLMAP's world to camera.
    cameras
        Index of the lens of each pose among the lenses of the calibration (n); empty if the file has none.
    motion
        Motion of the frame that reads these poses from the file, with the name of the file beside the scene. None if
        no reader of tables reads them.
    numbers : (n, k) or None
        Numbers of the file, from which the poses were computed, in the order of the dialect. A writer of the same
        dialect writes them, if they still give the poses.
    is_camera
        Whether the frame is an optical frame, whose fields of view are drawn.
    has_gl_axes
        Whether the camera has axes of OpenGL in the file, y up and z back. In `X_PC` it has y down and z forward.
    """

    parent: str
    child: str
    X_PC: Transform
    labels: tuple[str, ...] = ()
    times: Array | None = None
    is_inverse: bool = False
    cameras: tuple[int, ...] = ()
    motion: Recorded | None = None
    numbers: Array | None = None
    is_camera: bool = False
    has_gl_axes: bool = False


@dataclass(frozen=True, eq=False)
class PointCloud:
    """Points in a frame (n, 3), m, with colours (n, 3) in 0 to 255 or None.

    `file` is the name of the file beside the scene that holds them; empty if no file holds them alone.
    """

    frame: str
    points: Array
    colors: NDArray[np.uint8] | None = None
    file: str = ""


@dataclass(frozen=True, eq=False)
class Fact:
    """Number of a file that is no pose, such as a time shift: its place, a label, its value and its unit."""

    entry: str
    label: str
    value: float
    unit: str = ""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Content of a file.

    Attributes
    ----------
    dialect
        Name of the dialect.
    edges
        Fixed poses.
    lenses
        Cameras.
    pose_lists
        Poses of moving frames.
    clouds
        Point clouds.
    facts
        Other numbers.
    problems
        Faults of the file and notes on it. The key path is the place in the file.
    frames
        Frames that the file names without a pose, such as the only IMU of a file.
    """

    dialect: str
    edges: tuple[Edge, ...] = ()
    lenses: tuple[Lens, ...] = ()
    pose_lists: tuple[PoseList, ...] = ()
    clouds: tuple[PointCloud, ...] = ()
    facts: tuple[Fact, ...] = ()
    problems: tuple[Problem, ...] = field(default=())
    frames: tuple[str, ...] = ()


MAX_NUMBER = 1e50
"""Largest number of a pose: its powers in the checks of a rotation stay finite."""


def pose_of_rows(numbers: Array, entry: str) -> tuple[Transform, tuple[Problem, ...]]:
    """Return the pose of a homogeneous matrix (3, 4) or (4, 4), with the problem of a rotation that is none.

    Raises
    ------
    CalibrationError
        When a number is not finite, the shape differs, or the last row is not 0 0 0 1.

    Examples
    --------
    >>> X, problems = pose_of_rows(np.eye(4), "T_BS")
    >>> X.p_AB, problems
    (array([0., 0., 0.]), ())
    """
    M = np.asarray(numbers, dtype=float)
    if M.shape not in ((3, 4), (4, 4)):
        shape = " x ".join(map(str, M.shape))
        raise CalibrationError(f"{visible_text(entry)}: expected a matrix 4 x 4 or 3 x 4, got {shape}.")
    if not (np.abs(M) <= MAX_NUMBER).all():
        raise CalibrationError(f"{visible_text(entry)}: a number is not finite, or over {MAX_NUMBER:g}.")
    if len(M) == 4 and not np.allclose(M[3], [0.0, 0.0, 0.0, 1.0], atol=1e-6):
        row = " ".join(f"{number:g}" for number in M[3])
        hint = " The position is in the last row: the matrix is transposed." if not M[:3, 3].any() else ""
        raise CalibrationError(f"{visible_text(entry)}: the last row is {row}, expected 0 0 0 1.{hint}")
    problem = matrix_problem(M[:3, :3])
    problems = () if problem is None else (Problem((entry,), problem.message, problem.hint, kind=problem.kind),)
    return Transform(M[:3, :3], M[:3, 3]), problems
