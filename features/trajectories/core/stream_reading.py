"""Reading of pose streams: trajectory files, tables of poses, bags, lists of poses in calibrations, scenes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from framescope.core.errors import FramescopeError, HintedError, counted, did_you_mean, visible_text
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.recordings import pose_columns, trajectory_formats
from framescope.core.recordings.tables.mixed import MixedTable, Rows, read_once
from framescope.core.recordings.tables.numeric import Table, read_bytes
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import PoseColumns
from framescope.core.system.file_access import Access
from framescope.core.system.reader_slips import slips_as_errors
from framescope.core.transform import Transform
from framescope.features.bags.core.bag_file import is_bag_at, is_bag_folder, named_file, open_bag
from framescope.features.bags.core.bag_scene import Source as BagSource
from framescope.features.bags.core.bag_scene import scene_of
from framescope.features.bags.core.kept_transforms import transforms_of
from framescope.features.bags.core.tf_log import carries_poses, namespaces
from framescope.features.bags.core.tf_path import TfChoice, first_stamp_ns, path_of
from framescope.features.bags.core.tf_tracks import Tracks
from framescope.features.calibrations.core.calibration import PoseList
from framescope.features.calibrations.core.dialect import MAX_FILE_BYTES, Source
from framescope.features.calibrations.core.dialects.registry import dialect_of
from framescope.features.table_import.core.choices import Choices, TableSource, columns_of, sources
from framescope.features.table_import.core.guess_columns import guess
from framescope.features.trajectories.core.pose_stream import (
    NS,
    PoseStream,
    StreamError,
    quaternions_of,
    seconds_and_epoch,
    stream_of,
)

Format = Literal["auto", "tum", "kitti", "euroc", "table"]

_BY_ENDING = {".tum": "tum", ".kitti": "kitti"}
"""Formats that the ending of a file states, by the ending."""

LARGE_UNITS = (("ns", 1e17), ("us", 1e14), ("ms", 1e11))
"""Units of times by the least number from which a file without a unit has them: in seconds they are millennia away."""

HEAD_BYTES = 65_536
"""Number of bytes by which the kind of a file is recognized."""

MOST_LISTED = 8
"""Largest number of names that a message lists."""

EVERY_HZ = 100.0
"""Rate at which a frame of a scene without samples is read, Hz."""

MOST_POSES = 1_000_000
"""Largest number of poses of a frame of a scene."""

_SCENE = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s*#[^\n]*\n|\s*\n)*framescope\s*:")
_EVO_TF = re.compile(r"(?P<space>.*)/tf:(?P<parent>.+)\.(?P<child>[^.]+)")


@dataclass(frozen=True)
class StreamChoice:
    """Choices for reading a stream.

    Attributes
    ----------
    name
        Which stream of a file that holds several: a topic of a bag, the frame of a table's column, or a frame; with its
        reference, ``"camera in base"`` or, as evo writes it, ``"/tf:base.camera"``. Empty for the only one.
    format
        ``"tum"``, ``"kitti"`` or ``"euroc"`` for a file of that format; ``"table"`` reads columns by their names and
        numbers; ``"auto"`` recognizes all kinds of files.
    times
        File of times of poses without times, a number of seconds in each line.
    rate_hz
        Rate of poses without times, and of a frame of a scene without samples, Hz.
    """

    name: str = ""
    format: Format = "auto"
    times: Path | None = None
    rate_hz: float | None = None


def read_stream(path: Path | str, choice: StreamChoice | None = None) -> PoseStream:
    """Return the pose stream of a file.

    Parameters
    ----------
    path
        A trajectory of TUM, KITTI or EuRoC, any table of poses, a bag or its folder, a calibration with lists of
        poses, or a scene. After a #, the name of the stream in the file: ``run.mcap#/odom``, ``rig.yaml#cam in base``.
    choice
        Choices; a name after the # comes first.

    Raises
    ------
    StreamError
        When the file has no poses, or holds several streams and none is named: the message lists them.
    FramescopeError
        When the file cannot be read.
    """
    file, named = split_name(path)
    choice = choice or StreamChoice()
    choice = replace(choice, name=named or choice.name)
    try:
        return _read(file, choice)
    except HintedError as error:
        raise StreamError(str(error)) from None
    except OSError as error:
        raise StreamError(f"{visible_text(file.name)} cannot be read: {error.strerror or error}.") from None


def split_name(path: Path | str) -> tuple[Path, str]:
    """Return the file of a path, and the name of the stream after a #; a file whose own name has a # has none.

    >>> split_name("run.mcap#/odom")
    (PosixPath('run.mcap'), '/odom')
    """
    text = str(path)
    file, mark, name = text.partition("#")
    if not mark or not file or _exists(Path(text)):
        return Path(text), ""
    return Path(file), name


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # such as a NUL in the name
        return False


def _read(path: Path, choice: StreamChoice) -> PoseStream:
    if is_bag_folder(path):
        return _of_bag(path, choice)
    head = read_bytes(path, HEAD_BYTES)
    if choice.format != "auto":
        return _of_file(path, choice, choice.format)
    if is_bag_at(path):
        return _of_bag(path, choice)
    if _SCENE.match(head):
        return _of_scene(path, choice)
    if (of_calibration := _of_calibration(path, choice)) is not None:
        return of_calibration
    return _of_file(path, choice, _BY_ENDING.get(path.suffix.lower(), "table"))


# --- Tables

_READERS: Mapping[str, Callable[[Path, Rows | None], tuple[Table, PoseColumns]]] = {
    "tum": trajectory_formats.tum_columns,
    "kitti": trajectory_formats.kitti_columns,
    "euroc": trajectory_formats.euroc_columns,
}


def _of_file(path: Path, choice: StreamChoice, kind: str) -> PoseStream:
    if kind == "table":
        return _of_table(path, choice)
    rows = trajectory_formats.whole_rows(path, kind)
    n = read_once(path).n_rows
    table, columns = _READERS[kind](path, rows if len(rows) < n else None)
    return _of_rows(path, table, columns, choice, rows, n)


def _of_table(path: Path, choice: StreamChoice) -> PoseStream:
    table = read_once(path)
    choices = guess(table, path.name).choices
    try:
        source = _chosen_source(path, table, choices, choice.name)
    except StreamError:
        by_width = {8: "tum", 12: "kitti"}.get(len(table.order))
        if by_width is None or not all(column.isdigit() for column in table.order):
            raise
        return _of_file(path, choice, by_width)  # too few rows to guess from
    columns = columns_of(choices, source.group)
    selected = np.arange(table.n_rows)
    if choices.names is not None and source.value is not None:
        selected = table.rows_where(choices.names, source.value)
    rows = table.whole_rows(columns.names, selected)
    if not len(rows):
        raise StreamError(f"{visible_text(path.name)} has no row with a number in each column of a pose.")
    stream = _of_rows(path, table.table(columns.names, rows), columns, choice, rows, len(selected))
    if choices.pose == "parent in frame":
        X = Transform(stream.R_RF, stream.p_RF).inverse()
        stream = replace(
            stream, p_RF=X.p_AB, q_RF=quaternions_of(X.R_AB), notes=(*stream.notes, "The file holds the inverse poses.")
        )
    return replace(stream, frame=source.label or choice.name, reference=source.parent)


def _chosen_source(path: Path, table: MixedTable, choices: Choices, name: str) -> TableSource:
    """Return the source of the poses with a name; raise a `StreamError` if it is unclear, or has no whole pose."""
    of_table = sources(table, choices, MOST_POSES)
    labels = [source.label for source in of_table]
    source = of_table[_index_of(path, labels, name)]
    if source.group.missing() or not source.group.orientation:
        raise StreamError(_no_pose(path, table, source))
    return source


def _no_pose(path: Path, table: MixedTable, source: TableSource) -> str:
    names = ", ".join(table.order[:12])
    reason = source.group.missing() or "It has no columns of an orientation."
    return (
        f"{visible_text(path.name)} has no columns that look like poses. {reason} Its columns: {visible_text(names)}."
        " A file without names of columns is read as TUM (t x y z qx qy qz qw) or KITTI (12 numbers): give --format."
    )


def _of_rows(
    path: Path, table: Table, columns: PoseColumns, choice: StreamChoice, rows: Rows, n_all: int
) -> PoseStream:
    """Return the stream of the complete rows of a table."""
    notes = [] if len(rows) == n_all else [f"{counted(n_all - len(rows), 'row')} with a missing number left out."]
    t, epoch = _times(path, table, columns, choice, rows, n_all, notes)
    p, q = _poses(table, columns, notes)
    return stream_of(path.name, t, p, q, epoch_ns=epoch, notes=notes)


def _poses(table: Table, columns: PoseColumns, notes: list[str]) -> tuple[Array, Array]:
    """Return positions and quaternions; quaternions that are far off unit length stay as they are."""
    try:
        return pose_columns.rows_of(table, columns)
    except FramescopeError:
        pass
    p, q = pose_columns.rows_of(table, columns, ("normalise",))
    notes.append("Orientations are normalised.")
    return p, q


def _times(
    path: Path,
    table: Table,
    columns: PoseColumns,
    choice: StreamChoice,
    rows: Rows,
    n_all: int,
    notes: list[str],
) -> tuple[Array | None, int]:
    if columns.time is not None:
        t = table.column(columns.time)
        unit = columns.time_unit or "s"
        if unit == "s":
            largest = float(np.abs(t).max(initial=0.0))
            unit = next((large for large, least in LARGE_UNITS if largest >= least), unit)
            if unit != "s":
                notes.append(f"Times are read in {unit}: in s they would be millennia away.")
        return seconds_and_epoch(t, table.rests.get(columns.time), pose_columns.TIME_UNITS[unit])
    if choice.times is not None:
        if len(rows) == n_all:
            return trajectory_formats.times_beside(choice.times, path.name, table.n_rows), 0
        return trajectory_formats.times_beside(choice.times, path.name, n_all, rows), 0
    if choice.rate_hz is not None:
        if not choice.rate_hz > 0.0:
            raise StreamError(f"expected a rate above 0 Hz, got {choice.rate_hz:g}.")
        return rows / choice.rate_hz, 0
    return None, 0


# --- Bags


def _of_bag(path: Path, choice: StreamChoice) -> PoseStream:
    with open_bag(path) as bag:
        sent = [channel for channel in bag.channels if channel.count]
    topics = sorted({channel.topic for channel in sent if carries_poses(channel)})
    spaces = namespaces(sent)
    cached = transforms_of(named_file(path))
    name = choice.name
    if name in topics or (not name and len(topics) == 1):
        return _of_tracks(path, cached.tracks("", name or topics[0]), "", "", name or topics[0])
    parent, child, space = _tf_names(name)
    if child:
        tried = [space] if space else list(spaces) or [""]
        for namespace in tried:
            tracks = cached.tracks(namespace)
            if child in tracks.names:
                return _of_tracks(path, tracks, child, parent, f"{child} in {parent}" if parent else child)
    frames = [frame for namespace in spaces for frame in _moving_names(cached.tracks(namespace))]
    if not name and len(frames) == 1 and not topics:
        return _of_tracks(path, cached.tracks(spaces[0]), frames[0], "", frames[0])
    offered = [*topics, *frames]
    if not offered:
        raise StreamError(f"{visible_text(path.name)} has no poses: neither a topic of poses nor transforms that move.")
    raise StreamError(_which(path, offered, name))


def _tf_names(name: str) -> tuple[str, str, str]:
    """Return parent, child and namespace of a pair of frames, written as ``child in parent`` or as evo does.

    >>> _tf_names("base_link in map"), _tf_names("/r1/tf:map.base_link")
    (('map', 'base_link', ''), ('map', 'base_link', '/r1'))
    """
    if match := _EVO_TF.fullmatch(name):
        return match["parent"].strip(), match["child"].strip(), match["space"]
    child, _, parent = name.partition(" in ")
    return parent.strip(), child.strip(), ""


def _moving_names(tracks: Tracks) -> list[str]:
    return [tracks.names[track.child] for track in tracks.by_frame if not track.is_static and len(track.rows) > 1]


def _of_tracks(path: Path, tracks: Tracks, child: str, parent: str, label: str) -> PoseStream:
    """Return the poses of a frame in its parent; of a topic of poses, of the only frame that it moves."""
    if not child:
        if not tracks.by_frame:
            notes = " ".join((*tracks.log.notes, *tracks.log.damages))
            raise StreamError(f"{visible_text(path.name)}, {visible_text(label)} has no pose that can be used. {notes}")
        child = tracks.names[tracks.by_frame[0].child]
    tf = path_of(tracks, TfChoice((child,), (parent,) if parent else (), normalize=True))
    if tf is None or not len(tf.stamp_ns):
        return _through_tree(path, child, parent, label)
    if len(tf.parents) > 1:
        named = ", ".join(f"{child} in {each}" for each in tf.parents)
        raise StreamError(
            f"{visible_text(child)} has several parents in {visible_text(path.name)}: name one of {named}."
        )
    epoch = int(tf.stamp_ns[0])
    epoch = epoch if epoch >= 86_400 * NS else 0
    t = (tf.stamp_ns - epoch) / NS
    name = f"{path.name} {label}"
    notes = (*tracks.log.notes, *tracks.log.damages)
    return stream_of(
        name, t, tf.position, tf.quaternion, frame=child, reference="".join(tf.parents), epoch_ns=epoch, notes=notes
    )


def _through_tree(path: Path, child: str, parent: str, label: str) -> PoseStream:
    """Return the poses of a frame of a bag in a frame that is not its parent, through the tree of transforms."""
    with open_bag(path) as bag:
        spaces = namespaces(bag.channels)
    file = named_file(path)
    bag_transforms = transforms_of(file)
    tracks = {space: bag_transforms.tracks(space) for space in spaces}
    chosen = [space for space, of in tracks.items() if {child, parent} <= {*of.names}]
    if not chosen:
        raise StreamError(f"{visible_text(path.name)} has no pose of {visible_text(child)} in {visible_text(parent)}.")
    space = chosen[0]
    scene, _ = scene_of([BagSource(tracks[space], namespace=space)], file.name)
    plan = compile_plan(scene, access=Access(file.resolve().parent))
    epoch = first_stamp_ns(tracks[space])
    stream = stream_of_frame(plan, child, parent)
    return replace(stream, name=f"{path.name} {label}", epoch_ns=epoch)


# --- Calibrations


def _of_calibration(path: Path, choice: StreamChoice) -> PoseStream | None:
    """Return the poses of a calibration or a reconstruction; None for any other file."""
    if path.stat().st_size > MAX_FILE_BYTES:
        return None
    data = path.read_bytes()
    if (dialect := dialect_of(data)) is None:
        return None
    folder = path.resolve().parent

    def beside(name: str) -> bytes | None:
        file = folder / name
        return file.read_bytes() if Path(name).name == name and file.is_file() else None

    with slips_as_errors(path.name):
        lists = dialect.read(Source(path.name, data, folder.name, beside)).pose_lists
    if not lists:
        return None
    poses: PoseList = lists[_index_of(path, [each.child for each in lists], choice.name)]
    t, epoch = (None, 0) if poses.times is None else seconds_and_epoch(poses.times)
    q = quaternions_of(poses.X_PC.R_AB)
    return stream_of(path.name, t, poses.X_PC.p_AB, q, frame=poses.child, reference=poses.parent, epoch_ns=epoch)


# --- Scenes


def _of_scene(path: Path, choice: StreamChoice) -> PoseStream:
    loaded = load_scene(path)
    plan = compile_plan(loaded.scene, access=Access(loaded.home))
    child, _, parent = (part.strip() for part in choice.name.partition(" in "))
    if not child:
        moving = [plan.names[row] for row, motion in plan.tree.motions.items() if not motion.is_constant]
        child = moving[0] if len(moving) == 1 else ""
        if not child:
            raise StreamError(_which(path, moving or list(plan.names), ""))
    return stream_of_frame(plan, child, parent, path.name, choice.rate_hz)


def stream_of_frame(
    plan: Plan, frame: str, reference: str = "", name: str = "", rate_hz: float | None = None
) -> PoseStream:
    """Return the poses of a frame of a scene relative to another, at its samples or at a rate over the scene's range.

    Parameters
    ----------
    plan
        The compiled scene.
    frame, reference
        Names of the frames; an empty reference is the parent of the frame.
    name
        Name of the stream before the name of the frame.
    rate_hz
        Rate at which a frame without samples is read, Hz.

    Raises
    ------
    StreamError
        When there is no such frame, or it has no pose.
    """
    known = [*plan.names]
    for each in (frame, reference):
        if each and each not in plan.index:
            raise StreamError(f"there is no frame {visible_text(each)}. {did_you_mean(each, known)}".rstrip())
    if not reference:
        item = plan.scene.frames.get(frame)
        reference = item.parent if item is not None else WORLD
    t = _sample_times(plan, frame, reference, rate_hz)
    snapshot = evaluate(plan, t)
    R_WA, R_WB = (snapshot.R_WF[:, plan.index[each]] for each in (reference, frame))
    p_AB = linear_algebra.apply_transposed(R_WA, snapshot.offset_W(frame, reference))
    label = f"{frame} in {reference}"
    text = f"{name} {label}".strip()
    q = _quaternions_or_nan(linear_algebra.transpose(R_WA) @ R_WB)
    return stream_of(text, t, p_AB, q, frame=frame, reference=reference)


def _quaternions_or_nan(R: Array) -> Array:
    is_known = np.isfinite(R).all(axis=(1, 2))
    q = np.full((len(R), 4), np.nan)
    q[is_known] = quaternions_of(R[is_known])
    return q


def _sample_times(plan: Plan, frame: str, reference: str, rate_hz: float | None) -> Array:
    """Return the times of the most samples between two frames, or those of a rate."""
    sampled: list[Array] = []
    if rate_hz is None:
        rows = {*_line_of(plan, frame)} ^ {*_line_of(plan, reference)}
        motions = (plan.tree.motions.get(row) for row in rows)
        sampled = [motion.sample_times for motion in motions if motion is not None and motion.sample_times is not None]
    if sampled:
        return max(sampled, key=len)
    n = int(min((plan.end - plan.start) * (rate_hz or EVERY_HZ), MOST_POSES - 1)) + 1
    return plan.start + np.arange(n) / (rate_hz or EVERY_HZ)


def _line_of(plan: Plan, frame: str) -> list[int]:
    """Return the rows of a frame and of the frames above it."""
    rows: list[int] = []
    while frame in plan.index and plan.index[frame] not in rows:
        rows.append(plan.index[frame])
        item = plan.scene.frames.get(frame)
        frame = item.parent if item is not None else ""
    return rows


# --- Names


def _index_of(path: Path, labels: Sequence[str], name: str) -> int:
    """Return the index of the stream with a name; the only one may be left unnamed."""
    if not name and len(labels) == 1:
        return 0
    if name in labels:
        return labels.index(name)
    raise StreamError(_which(path, labels, name))


def _which(path: Path, offered: Sequence[str], name: str) -> str:
    listed = ", ".join(map(visible_text, offered[:MOST_LISTED])) + (", …" if len(offered) > MOST_LISTED else "")
    file = visible_text(path.name)
    if name:
        return f"{file} has no stream {visible_text(name)}. It has {listed}. {did_you_mean(name, offered)}".rstrip()
    example = f"{file}#{visible_text(offered[0])}"
    return f"{file} holds {counted(len(offered), 'stream')}: {listed}. Name one after a #, such as {example}."
