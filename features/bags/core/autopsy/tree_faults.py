"""Faults of the tree: parents, unconnected trees, loops, and two spellings of a name."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from framescope.core.errors import Fix, counted
from framescope.core.kernels.validation import Array
from framescope.features.bags.core.autopsy.fault import LogChange, TfFault
from framescope.features.bags.core.autopsy.wording import by, join_names
from framescope.features.bags.core.tf_log import TfLog, Whole
from framescope.features.bags.core.tf_tracks import WORLD_FRAMES, Track, Tracks, tracks_of
from framescope.features.bags.core.topic_series import TopicSeries

CHAIN = ("earth", "map", "odom", "base_footprint", "base_link")
"""Usual chain of frames, from the root down (REP 105, REP 120)."""

SAME_PLACE = 1e-6
"""Difference of positions, m, and of the products of quaternions from 1, up to which frames are at one place."""


def parent_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the frames that alternate between parents, and frames that are both static and moving."""
    for track in tracks.by_frame:
        has_two = len(np.unique(track.parent)) > 1 and (track.is_static or not is_handed_over(track))
        second = _two_parents(tracks, track) if has_two else None
        mixed = _mixed_fault(tracks, track) if track.is_mixed else None
        if second is not None:
            yield second
        if mixed is not None and (second is None or not np.isin(mixed.rows, second.rows).all()):
            yield mixed


def is_handed_over(track: Track) -> bool:
    """Return whether a frame changes from one parent to the next and never back, as an object that a robot takes.

    Single stamps may be wrong, and samples may be received out of order, but rarely both at the moment of the change.
    """
    n = len(np.unique(track.parent)) - 1
    return any(np.count_nonzero(np.diff(parents)) == n for parents in (track.parent, track.parent[track.in_time]))


def _two_parents(tracks: Tracks, track: Track) -> TfFault:
    frame = tracks.names[track.child]
    counts = Counter(map(int, track.parent))
    usual = max(counts, key=lambda parent: (counts[parent], -int(np.argmax(track.parent == parent))))
    wrong = track.rows[track.parent != usual]
    parts: list[str] = []
    for parent, n in counts.most_common():
        rows = track.rows[track.parent == parent]
        sample = "static sample" if track.is_mixed and tracks.log.is_static[rows].all() else "sample"
        parts.append(f"{tracks.names[parent]} ({counted(n, sample)}{by(tracks.publishers(rows))})")
    second = tracks.names[int(track.parent[track.parent != usual][0])]
    holds = "tf2 uses the last one sent" if track.is_static else "it jumps to the last one sent"
    fix = Fix(f"Leave out {frame} in {second}", LogChange("leave out", child=frame, parent=second))
    return TfFault(
        "two parents",
        frame,
        f"{frame} is sent in {join_names(parts)}. A frame can have only one parent: {holds}, and the other tree"
        " lacks it.",
        *_when(tracks, wrong),
        count=len(wrong),
        parent=second,
        publishers=tracks.publishers(wrong),
        rows=wrong,
        fix=fix,
    )


def _mixed_fault(tracks: Tracks, track: Track) -> TfFault:
    frame = tracks.names[track.child]
    static = tracks.log.is_static[track.rows]
    wrong = track.rows[static != static[0]]
    first = "static" if track.is_static else "moving"
    return TfFault(
        "static and moving",
        frame,
        f"{frame} is sent as a static transform ({counted(int(static.sum()), 'time')}"
        f"{by(tracks.publishers(track.rows[static]))}) and as a moving one ({counted(int((~static).sum()), 'time')}"
        f"{by(tracks.publishers(track.rows[~static]))}). In tf2 the first message decides: the frame is {first}.",
        *_when(tracks, wrong),
        count=len(wrong),
        publishers=tracks.publishers(wrong),
        rows=wrong,
    )


def loop_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the first row by which frames become each other's parents, once for each set of frames."""
    parent_of: dict[int, int] = {}
    seen: set[frozenset[int]] = set()
    for row in _changes(tracks):
        child, parent = int(tracks.child[row]), int(tracks.parent[row])
        parent_of[child] = parent
        way, at = [child], parent
        while at != child and at in parent_of and at not in way:
            way.append(at)
            at = parent_of[at]
        if at == child and frozenset(way) not in seen:
            seen.add(frozenset(way))
            names = [tracks.names[i] for i in way]
            rows = np.flatnonzero((tracks.refused == 0) & (tracks.child == child) & (tracks.parent == parent))
            yield TfFault(
                "loop",
                names[0],
                f"{' in '.join([*names, names[0]])}: {join_names(names)} are each other's parents. This transform"
                " closes the loop. None of them belongs to a tree, and tf2 does not report it when it is sent.",
                *_when(tracks, rows),
                count=len(rows),
                parent=tracks.names[parent],
                publishers=tracks.publishers(rows),
                rows=rows,
                fix=Fix(
                    f"Leave out {names[0]} in {tracks.names[parent]}",
                    LogChange("leave out", child=names[0], parent=tracks.names[parent]),
                ),
            )


def _changes(tracks: Tracks) -> list[int]:
    """Return the rows in which a frame has another parent than in its row before."""
    rows = [track.rows[np.concatenate([[True], track.parent[1:] != track.parent[:-1]])] for track in tracks.by_frame]
    return np.sort(np.concatenate(rows)).tolist() if rows else []


def trees(tracks: Tracks) -> list[list[int]]:
    """Return the frames of each tree, the largest first; frames connected at any time are in one tree."""
    above: dict[int, int] = {}

    def top(i: int) -> int:
        while above.setdefault(i, i) != i:
            above[i] = above[above[i]]
            i = above[i]
        return i

    for row in _changes(tracks):
        above[top(int(tracks.child[row]))] = top(int(tracks.parent[row]))
    groups: dict[int, list[int]] = {}
    for i in sorted(above):
        groups.setdefault(top(i), []).append(i)
    return sorted(groups.values(), key=len, reverse=True)


def apart_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the trees without a connection to the largest one, each with the missing edge between them."""
    all_trees = trees(tracks)
    children = {track.child for track in tracks.by_frame}
    for tree in all_trees[1:]:
        root = next((i for i in tree if i not in children), tree[0])
        if _has_refused_edge(tracks, tree):
            continue  # reported as refused rows
        spelt = _spelt_otherwise(tracks, tree, all_trees[0])
        if spelt is not None:
            yield spelt
            continue
        main_root = next((i for i in all_trees[0] if i not in children), all_trees[0][0])
        main, other = ([tracks.names[i] for i in each] for each in (all_trees[0], tree))
        parent, child = _missing_edge(main, tracks.names[main_root], other, tracks.names[root])
        rows = np.flatnonzero((tracks.refused == 0) & np.isin(tracks.child, tree))
        others = [tracks.names[i] for i in tree if i != root]
        yield TfFault(
            "trees apart",
            tracks.names[root],
            f"No transform connects {tracks.names[root]}{f' (with {join_names(others)} below it)' if others else ''}"
            f" to {tracks.names[main_root]} and the {counted(len(all_trees[0]) - 1, 'frame')} below it. The missing"
            f" transform is probably {child} in {parent}.",
            *_when(tracks, rows),
            parent=parent if child == tracks.names[root] else "",
            publishers=tracks.publishers(rows),
        )


def joined_by_odometry(fault: TfFault, log: TfLog, odometry: Iterable[TopicSeries]) -> TfFault:
    """Return the fault of unconnected trees with the odometry that has the pose between them; other faults as they are.

    A node that sends odometry without transforms, as MAVROS does by default, leaves its frames unconnected on purpose.
    """
    if fault.kind != "trees apart":
        return fault
    tracks = tracks_of(log)
    tree_of = {tracks.names[i]: n for n, tree in enumerate(trees(tracks)) for i in tree}
    own = tree_of.get(fault.frame)
    for series in odometry:
        parent, child = series.frame.removeprefix("/"), series.child.removeprefix("/")
        met = tree_of.get(parent), tree_of.get(child)
        if None in met or met[0] == met[1] or own not in met:
            continue
        sender = series.publisher or f"the publisher of {series.topic}"
        hint = (
            f" {series.topic} has the pose of {child} in {parent}, but {sender} does not send it as a transform: turn"
            " that on (publish_tf of robot_localization, local_position/tf/send of MAVROS)."
        )
        return replace(fault, cause=fault.cause + hint, severity="amber")
    return fault


def _missing_edge(main: list[str], main_root: str, other: list[str], root: str) -> tuple[str, str]:
    """Return parent and child of the probable missing edge: along the usual chain, else below the base."""
    for upper, top in ((main, root), (other, main_root)):
        above = [name for name in CHAIN[: CHAIN.index(top)] if name in upper] if top in CHAIN else []
        if above:
            return above[-1], top
    worlds = [name for name in CHAIN[:3] if name in other]
    if root in worlds:
        return worlds[-1], main_root
    base = next((name for name in reversed(CHAIN) if name in main), main_root)
    return base, root


def _has_refused_edge(tracks: Tracks, tree: list[int]) -> bool:
    """Return whether a refused row would have joined a tree to another frame."""
    bad = tracks.refused > 2
    inside_child, inside_parent = np.isin(tracks.child, tree), np.isin(tracks.parent, tree)
    return bool((bad & (inside_child != inside_parent)).any())


def _spelt_otherwise(tracks: Tracks, tree: list[int], main: list[int]) -> TfFault | None:
    """Return the fault of trees whose names differ only in case, slashes, dashes or blanks; None for other names."""
    folded = {_normalize_name(tracks.names[i]): i for i in main}
    pair = next(
        ((i, folded[_normalize_name(tracks.names[i])]) for i in tree if _normalize_name(tracks.names[i]) in folded),
        None,
    )
    in_namespace = pair is None
    pair = pair or _named_in_namespace(tracks, tree, main)
    if pair is None:
        return None
    wrong, right = pair if in_namespace else sorted(pair, key=lambda i: _strangeness(tracks, i), reverse=True)
    bad, good = tracks.names[wrong], tracks.names[right]
    differs = "one has a namespace" if in_namespace else "the spelling differs"
    rows = np.flatnonzero((tracks.refused == 0) & ((tracks.child == wrong) | (tracks.parent == wrong)))
    return TfFault(
        "similar name",
        bad,
        f"{bad!r} and {good!r} are two frames for tf2, but probably one: only {differs}, and their trees"
        " are not connected.",
        *_when(tracks, rows),
        count=len(rows),
        parent=good,
        publishers=tracks.publishers(rows),
        rows=rows,
        fix=Fix(f"Take {bad} for {good}", LogChange("take name", child=bad, name=good)),
    )


def _named_in_namespace(tracks: Tracks, tree: list[int], main: list[int]) -> tuple[int, int] | None:
    """Return a frame of a tree and the same frame in the main tree, where one of the two names lacks a namespace.

    A tree that moves is a second robot if it has several such frames, or a frame of a world.
    """
    by_bare: dict[str, list[int]] = {}
    for j in main:
        by_bare.setdefault(tracks.names[j].rpartition("/")[2], []).append(j)
    pairs = [
        (i, j)
        for i in tree
        for j in by_bare.get(tracks.names[i].rpartition("/")[2], ())
        if is_in_namespace_of(tracks.names[i], tracks.names[j])
    ]
    is_mine = np.isin(tracks.child, tree) & (tracks.refused == 0)
    if not pairs:
        return None
    if not tracks.log.is_static[is_mine].all():
        has_world = any(tracks.names[i].rpartition("/")[2] in WORLD_FRAMES for i in tree)
        return pairs[0] if len(pairs) == 1 and not has_world else None
    firsts = [pair for pair in pairs if pair[0] == pairs[0][0]]
    return pairs[0] if len(firsts) == 1 else None


def is_in_namespace_of(name: str, other: str) -> bool:
    """Return whether two names differ only in namespaces before one of them.

    >>> is_in_namespace_of("r1/base", "base"), is_in_namespace_of("r1/base", "r1/r1/base")
    (True, True)
    >>> is_in_namespace_of("r1/base", "r2/base"), is_in_namespace_of("base", "my_base")
    (False, False)
    """
    return name.endswith(f"/{other}") or other.endswith(f"/{name}")


def doubled_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the frames that are sent under two names: fixed at one place, in another namespace or spelling."""
    still = [
        track
        for track in tracks.by_frame
        if len(np.unique(track.parent)) == 1 and _are_at(track.position, track.quaternion, track)
    ]
    by_parent: dict[int, list[Track]] = {}
    for track in still:
        by_parent.setdefault(int(track.parent[0]), []).append(track)
    for parent, members in by_parent.items():
        by_bare: dict[str, list[Track]] = {}
        for track in members:
            by_bare.setdefault(_normalize_name(tracks.names[track.child].rpartition("/")[2]), []).append(track)
        for alike in by_bare.values():
            for track, other in itertools.combinations(alike, 2):
                if _is_doubled(tracks, track, other):
                    yield _doubled(tracks, track, other, parent)


def _is_doubled(tracks: Tracks, track: Track, other: Track) -> bool:
    one, two = (tracks.names[each.child] for each in (track, other))
    is_one = is_in_namespace_of(one, two) or _normalize_name(one) == _normalize_name(two)
    return is_one and _are_at(other.position[:1], other.quaternion[:1], track)


def _are_at(p: Array, q: Array, track: Track) -> bool:
    """Return whether positions (n, 3) and quaternions (n, 4) are those of the first transform of a track."""
    with np.errstate(over="ignore", invalid="ignore"):  # positions of a damaged file
        off, cosine = p - track.position[0], np.abs(q @ track.quaternion[0])
        return bool((np.abs(off) <= SAME_PLACE).all() and (np.abs(cosine - 1.0) <= SAME_PLACE).all())


def _doubled(tracks: Tracks, track: Track, other: Track, parent: int) -> TfFault:
    """Return the note about two names of one frame; that without children is the one to drop."""
    used = {i: int(np.count_nonzero(tracks.parent == i)) for i in (track.child, other.child)}
    keep, drop = (track, other) if used[track.child] > used[other.child] else (other, track)
    if used[track.child] == used[other.child]:
        keep, drop = sorted((track, other), key=lambda each: _unusual(tracks, each.child))
    bad, good = tracks.names[drop.child], tracks.names[keep.child]
    differs = "of which one has a namespace" if is_in_namespace_of(bad, good) else "whose spelling differs"
    return TfFault(
        "similar name",
        bad,
        f"{bad!r} and {good!r} are fixed at one place on {tracks.names[parent]}: they are one frame under two names,"
        f" {differs}. Send one of them{by(tracks.publishers(drop.rows))}, and give its name to the"
        " sensors.",
        *_when(tracks, drop.rows),
        count=len(drop.rows),
        severity="note",
        parent=good,
        publishers=tracks.publishers(drop.rows),
        rows=drop.rows,
    )


def _unusual(tracks: Tracks, i: int) -> tuple[bool, int]:
    """Return a sort key of names of one frame: that in normal form first, then the shorter one."""
    return tracks.names[i] != _normalize_name(tracks.names[i]), len(tracks.names[i])


def _normalize_name(name: str) -> str:
    return name.strip(" /").casefold().replace("-", "_").replace(" ", "_").replace("//", "/")


def _strangeness(tracks: Tracks, i: int) -> tuple[bool, int]:
    """Return a sort key that grows with how unusual a spelling is: not in normal form, then rare."""
    used = np.count_nonzero((tracks.child == i) | (tracks.parent == i))
    return tracks.names[i] != _normalize_name(tracks.names[i]), -int(used)


def slash_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the frames whose names are sent with a leading slash."""
    log = tracks.log
    with_slash = np.array([name.startswith("/") for name in log.names], bool)
    used: Whole = np.concatenate([log.child, log.parent])
    for i in dict.fromkeys(map(int, used)):
        if not with_slash[i]:
            continue
        rows = np.flatnonzero((log.child == i) | (log.parent == i))
        name = log.names[i]
        yield TfFault(
            "leading slash",
            name.removeprefix("/"),
            f"{name} is sent with a slash. tf2 drops the slash, and look-ups with a slash fail.",
            *_when(tracks, rows),
            count=len(rows),
            severity="amber",
            publishers=tracks.publishers(rows),
            rows=rows,
        )


def _when(tracks: Tracks, rows: Whole) -> tuple[int, int]:
    log_ns = tracks.log.log_ns[rows] if len(rows) else tracks.log.log_ns
    return int(log_ns.min()), int(log_ns.max())
