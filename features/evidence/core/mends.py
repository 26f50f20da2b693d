"""Mends of findings: edits of the scene, and lines for launch files, robot descriptions and parameters of drivers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core import frames
from framescope.core.conventions.pose_snippets import (
    pose_as_code,
    static_transform_node,
    yaw_pitch_roll,
)
from framescope.core.errors import Fix, visible_text
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import free_name
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.view import Note
from framescope.features.evidence.core.account import Fault, FaultKind, Finding, Mounting
from framescope.features.evidence.core.readings import Mount
from framescope.features.evidence.core.scene_readings import SceneBag

UNIT = 1e-3
"""Largest deviation of the squared length of a quaternion from one."""

REMARKS = 90
"""Largest number of characters of a name within a line that a user copies."""


@dataclass(frozen=True)
class Snippet:
    """Text that a user copies into another program.

    Attributes
    ----------
    title
        Title in a menu.
    text
        The text.
    is_line
        Whether each of its lines mends the finding by itself, so that a report prints it.
    """

    title: str
    text: str
    is_line: bool = False


def fix_lines(finding: Finding, p: Array | None = None) -> tuple[str, ...]:
    """Return the lines that mend a finding outside of a scene: a static transform, and parameters of the driver.

    `p` is as in `snippets_of`.
    """
    snippets = snippets_of(finding, p)
    return tuple(line for snippet in snippets if snippet.is_line for line in snippet.text.splitlines())


def snippets_of(finding: Finding, p: Array | None = None) -> tuple[Snippet, ...]:
    """Return the texts that mend a finding outside of the scene.

    Parameters
    ----------
    finding
        The finding.
    p : (3,), optional
        Position of the mounted frame in its parent, m, where the finding does not have it. Zero by default.

    Returns
    -------
    tuple of Snippet
        None for a finding that another explanation fits nearly as well.
    """
    if not finding.is_certain:
        return ()
    texts: list[Snippet] = []
    if finding.mounting is not None and is_pose(finding.mounting) and finding.mounting.is_known:
        texts += _of_mounting(finding.mounting, p)
    # Both, the transform and a parameter, would turn the readings twice.
    turned = {"mounting", "body axes"} if texts else {"mounting"} if finding.mounting is not None else set[FaultKind]()
    faults = [each for each in finding.faults if each.kind not in turned]
    lines: dict[str, str] = {}
    for line in (parameter_line(each, _factor_before(each, faults)) for each in faults):
        lines.setdefault(line.partition("#")[0], line)  # all readings of a message share the fault of its stamps
    if any(lines):
        text = "\n".join(filter(None, lines.values()))
        texts.append(Snippet("Parameters of the driver (YAML)", text, is_line=True))
    return tuple(texts)


# --- Mountings


def orientation_of(mounting: Mounting) -> Orientation:
    """Return the orientation of a mounted frame relative to its parent: parent into frame."""
    return frames.from_Q(mounting.Q, np.zeros(3))


def is_pose(mounting: Mounting) -> bool:
    """Return whether the numbers of a mounting are those of a pose."""
    Q = np.asarray(mounting.Q, dtype=float)
    is_unit = Q.shape == (4,) and bool(np.isfinite(Q).all()) and abs(float(Q @ Q) - 1.0) < UNIT
    return is_unit and (mounting.p is None or bool(np.isfinite(mounting.p).all()))


def position_of(mounting: Mounting, p: Array | None = None) -> Array:
    """Return the position of a mounted frame: the estimated one, else the given one, else zero, m."""
    if mounting.p is not None:
        return np.asarray(mounting.p, dtype=float)
    return np.zeros(3) if p is None else np.asarray(p, dtype=float)


def mounting_numbers(mounting: Mounting) -> tuple[tuple[str, str], ...]:
    """Return the numbers of a mounting with all digits, each with its name: rpy, quaternion, standard errors.

    >>> mounting = Mounting("imu", "base", np.array([0, 0, 0, 1.0]), None, np.diag([1e-4, 1e-4, 4e-4]), "x y z")
    >>> mounting_numbers(mounting)[0]
    ('rpy', '0.0 0.0 0.0 rad')
    >>> mounting_numbers(mounting)[2]
    ('standard errors about x y z of base', '0.57° 0.57° 1.15°')
    """
    R = orientation_of(mounting)
    yaw, pitch, roll = yaw_pitch_roll(R)
    numbers = [
        ("rpy", " ".join(map(repr, (roll, pitch, yaw))) + " rad"),
        ("quaternion x y z w", " ".join(map(repr, (frames.to_Q(R) + 0.0).tolist()))),
        (
            f"standard errors about x y z of {mounting.parent}",
            " ".join(f"{np.degrees(sigma):.2f}°" for sigma in turn_errors(mounting)),
        ),
    ]
    if mounting.p is not None:
        numbers.insert(0, ("xyz", " ".join(map(repr, (mounting.p + 0.0).tolist())) + " m"))
    return tuple(numbers)


def turn_errors(mounting: Mounting) -> list[float]:
    """Return the standard errors of a mounting about the axes of its parent, rad."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(np.diag(np.asarray(mounting.covariance, dtype=float))[:3]).tolist()


def in_sent_parent(mounting: Mounting, stated: Mount, sent: Mount) -> Mounting:
    """Return a mounting on the frame in which a recording sends the frame, so that it does not get a second parent.

    `stated` is the pose of the frame in `mounting.parent`, and `sent` the one in the frame in which it is sent.
    """
    R_PF, R_DF = (frames.from_Q(each.Q, np.zeros(3)).T.T for each in (stated, sent))
    R_PD = R_PF @ R_DF.T
    Q = frames.to_Q(Orientation((R_PD.T @ orientation_of(mounting).T.T).T, np.zeros(3)))
    p = None if mounting.p is None else R_PD.T @ (mounting.p - stated.p + R_PD @ sent.p)
    turn = np.kron(np.eye(len(mounting.covariance) // 3), R_PD)
    return replace(mounting, parent=sent.parent, Q=Q, p=p, covariance=turn.T @ mounting.covariance @ turn)


def _of_mounting(mounting: Mounting, p: Array | None) -> Iterator[Snippet]:
    is_line = mounting.parent.isprintable() and mounting.frame.isprintable()
    place = orientation_of(mounting), position_of(mounting, p), mounting.parent, mounting.frame
    remark = "; ".join(f"{name}: {numbers}" for name, numbers in mounting_numbers(mounting))
    remark = visible_text(f"{mounting.frame} in {mounting.parent} as the motion proves it; {remark}")
    xml = remark.replace("--", "- -")
    yield Snippet("Static transform (command)", pose_as_code(*place, "static-transform"), is_line=is_line)
    yield Snippet("Joint of a URDF", f"<!-- {xml} -->\n{pose_as_code(*place, 'urdf-origin')}")
    for title, language, comment in (
        ("Launch file (XML)", "xml", f"<!-- {xml} -->"),
        ("Launch file (Python)", "python", f"# {remark}"),
    ):
        try:
            lines = static_transform_node(*place, language)
        except ValueError:  # a launch file in XML would replace parts of such a name
            continue
        yield Snippet(title, "\n".join([comment, *lines]))
    covariance = np.asarray(mounting.covariance, dtype=float)
    rows = ", ".join(f"[{', '.join(map(repr, (row + 0.0).tolist()))}]" for row in covariance)
    parts = "small turn, rad" if len(covariance) == 3 else "small turn, rad, and position, m"
    yield Snippet(f"Covariance of the {parts}", f"covariance: [{rows}]  # in axes of {visible_text(mounting.parent)}")


def mount_fix(plan: Plan, bag: SceneBag, finding: Finding) -> Fix[Edit] | None:
    """Return the fix that mounts a frame of a scene as a finding states, or inserts the frame.

    None for a finding without a mounting, with an open turn or with rivals, and for a frame that the scene cannot have.

    The frame has the estimated quaternion with all digits. A note at the frame has its angles and their standard
    errors.
    """
    mounting = finding.mounting
    if mounting is None or not finding.is_certain or not mounting.frame:
        return None
    if not is_pose(mounting) or not mounting.is_known:
        return None
    name, parent = bag.scene_name(mounting.frame), bag.scene_name(mounting.parent)
    scene = plan.scene
    if parent not in scene.frames and parent != WORLD:
        return None
    if name == parent or (name in scene.frames and _is_below(scene, parent, name)):
        return None
    if name in scene.frames and isinstance(scene.frames[name].motion, Recorded):
        return None  # the frame moves as its table says, whatever is mounted on it
    is_new = name not in scene.frames
    stated = bag.stated_pose(mounting.parent, mounting.frame)
    frame = mounted_frame(mounting, parent, None if stated is None else stated.p_AB)
    note = _note(mounting, name)

    def apply(scene: Scene) -> Scene:
        key = next((key for key, other in scene.notes.items() if other.frame == name and _is_ours(other)), "")
        key = key or free_name(scene.notes, f"mounting of {name}"[:60].rstrip())
        return scene.model_copy(update={"frames": scene.frames | {name: frame}, "notes": scene.notes | {key: note}})

    text = "Insert frame" if is_new else "Turn frame"
    label = f"Inserted {name} as its motion proves" if is_new else f"Mounted {name} as its motion proves"
    return Fix(text, Edit(label, apply))


def mounted_frame(mounting: Mounting, parent: str, p: Array | None = None) -> Frame:
    """Return a frame of a scene with the pose of a mounting."""
    Q = (frames.to_Q(orientation_of(mounting)) + 0.0).tolist()
    at = (position_of(mounting, p) + 0.0).tolist()
    return Frame(
        parent=parent,
        position=poses.Position(value=(at[0], at[1], at[2]), unit="m") if any(at) else None,
        orientation=poses.QuaternionForm(value=(Q[0], Q[1], Q[2], Q[3]), order="xyzw"),
    )


NOTE_BEGIN = "Mounting from motion"
"""Beginning of the note at a mounted frame."""


def _note(mounting: Mounting, name: str) -> Note:
    yaw, pitch, roll = np.degrees(yaw_pitch_roll(orientation_of(mounting)))
    errors = " ".join(f"{np.degrees(sigma):.2g}°" for sigma in turn_errors(mounting))
    text = f"{NOTE_BEGIN}: roll {roll:.2f}° pitch {pitch:.2f}° yaw {yaw:.2f}°, standard errors {errors}"
    return Note(text=text.replace("-", "\N{MINUS SIGN}"), frame=name, size="small")


def _is_ours(note: Note) -> bool:
    return note.text.startswith(NOTE_BEGIN)


def _is_below(scene: Scene, name: str, ancestor: str) -> bool:
    """Return whether a frame is another frame or has it as an ancestor."""
    seen: set[str] = set()
    while name in scene.frames and name not in seen:
        if name == ancestor:
            return True
        seen.add(name)
        name = scene.frames[name].parent
    return False


# --- Parameters of drivers


def parameter_line(fault: Fault, before: float | None = None) -> str:
    """Return a fault as a line of YAML for the parameters of a driver; empty if no parameter would mend it.

    Drivers differ in the names of their parameters, so that each line has a comment with its meaning. `before` is the
    factor by which another line multiplies the readings before the offset of this one is added.

    >>> parameter_line(Fault("delay", "orientation of /imu", "38 ms late", (0.038,), (0.001,)))
    'time_offset: -0.038  # s, to add to the stamps: orientation of /imu is 38 ms late'
    """
    write = _PARAMETERS.get(fault.kind)
    line = "" if write is None else write(fault) if fault.kind != "bias" else _bias(fault, before)
    if not line:
        return ""
    words = visible_text(fault.words)
    be = "" if words.startswith(("is ", "has ", "are ", "counts ")) else "is "
    return f"{line}: {visible_text(fault.readings)[:REMARKS]} {be}{words}"


def _factor(fault: Fault) -> float | None:
    is_factor = len(fault.value) == 1 and abs(fault.value[0]) > 0.0
    return 1.0 / fault.value[0] if is_factor else None


def _scale(fault: Fault) -> str:
    factor = _factor(fault)
    return "" if factor is None else f"scale: {factor!r}  # factor for the readings"


def _factor_before(fault: Fault, faults: Iterable[Fault]) -> float | None:
    """Return the factor that the other faults of the same readings are mended by; None if there is no such fault."""
    factors = [
        -1.0 if each.kind == "sign" else _factor(each) or 1.0
        for each in faults
        if each.readings == fault.readings and each.kind in ("unit", "scale", "sign")
    ]
    return float(np.prod(factors)) if factors else None


def _bias(fault: Fault, before: float | None = None) -> str:
    if not fault.value:
        return ""
    numbers = ", ".join(repr(-value * (1.0 if before is None else before) + 0.0) for value in fault.value)
    return f"offset: [{numbers}]  # to add to the readings{'' if before is None else ' after the factor'}"


def _mounting_lines(fault: Fault) -> str:
    if len(fault.value) != 4:
        return ""
    return f"mounting_quaternion_xyzw: [{', '.join(map(repr, fault.value))}]  # of the sensor on its frame"


_PARAMETERS: Mapping[FaultKind, Callable[[Fault], str]] = {
    "quaternion order": lambda _fault: "quaternion_order: xyzw  # order of the fields",
    "inverse": lambda _fault: "invert_orientation: true  # orientation of the frame relative to the reference",
    "world axes": lambda _fault: "world_frame: enu  # axes of the reference: east, north, up",
    "body axes": lambda _fault: "body_frame: flu  # axes of the frame: forward, left, up",
    "doubled axes": lambda _fault: (
        "axes: [enu, flu]  # of reference and frame: change NED and FRD axes once, not twice"
    ),
    "mounting": _mounting_lines,
    "unit": _scale,
    "scale": _scale,
    "sign": lambda _fault: "scale: -1.0  # factor for the readings",
    "bias": _bias,
    "gravity removed": lambda _fault: "remove_gravity_vector: false  # the specific force has the reaction to gravity",
    "delay": lambda fault: f"time_offset: {-fault.value[0]!r}  # s, to add to the stamps" if fault.value else "",
}
