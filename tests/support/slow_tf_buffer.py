"""An oracle for the transform buffer: the meaning of tf2 by 4 x 4 matrices and sets, without a thought of cost."""

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation, Slerp


@dataclass
class SlowTfBuffer:
    """All that was sent, and what of it counts, worked out anew for each question."""

    cache_ns: int | None = None
    sent: list = field(default_factory=list)

    def insert(self, stamp_ns, parent, child, position, quaternion, *, is_static):
        self.sent.append((stamp_ns, parent, child, position, quaternion, is_static))

    def is_static(self, child):
        return next(is_static for _, _, name, _, _, is_static in self.sent if name == child)

    def samples(self, child) -> dict:
        """Return what counts of a frame that moves: stamp to (parent, pose)."""
        kept = {}
        for stamp, parent, name, position, quaternion, _ in self.sent:
            if name != child or (kept and self.cache_ns is not None and stamp < max(kept) - self.cache_ns):
                continue
            kept.setdefault(stamp, (parent, position, quaternion))
            if self.cache_ns is not None:
                kept = {when: what for when, what in kept.items() if when >= max(kept) - self.cache_ns}
        return kept

    def edge(self, child, t):
        """Return parent and pose (4, 4) of a frame at a time; None for a root, a word where there is no sample."""
        mine = [each for each in self.sent if each[2] == child]
        if not mine:
            return None
        if self.is_static(child):
            _, parent, _, position, quaternion, _ = mine[-1]
            return parent, matrix(position, Rotation.from_quat(quaternion))
        kept = self.samples(child)
        before, after = [s for s in kept if s <= t], [s for s in kept if s >= t]
        if not before or not after:
            return "extrapolation"
        s0, s1 = max(before), min(after)
        (parent, p0, q0), (other, p1, q1) = kept[s0], kept[s1]
        if s0 == s1 or parent != other:
            return parent, matrix(p0, Rotation.from_quat(q0))
        share = (t - s0) / (s1 - s0)
        turned = Slerp([0.0, 1.0], Rotation.from_quat([q0, q1]))(share)
        return parent, matrix((1.0 - share) * np.array(p0) + share * np.array(p1), turned)

    def way_up(self, frame, t):
        """Return the frames above one, each with its matrix from the first, and why the way ends."""
        above, X = [(frame, np.eye(4))], np.eye(4)
        while True:
            edge = self.edge(frame, t)
            if edge is None or edge == "extrapolation":
                return above, edge
            frame, X_PF = edge
            X = X_PF @ X
            above.append((frame, X))

    def newest(self, target, source):
        """Return the newest time of all frames between two, by their newest parents; 0 where all are static."""

        def line(frame):
            found = []
            while any(each[2] == frame for each in self.sent):
                if self.is_static(frame):
                    stamp, parent = None, [each for each in self.sent if each[2] == frame][-1][1]
                else:
                    kept = self.samples(frame)
                    stamp = max(kept)
                    parent = kept[stamp][0]
                found.append((frame, stamp))
                frame = parent
            return found, frame

        (up, root), (down, other) = line(source), line(target)
        if root != other:
            return None
        common = {frame for frame, _ in up} & {frame for frame, _ in down}
        stamps = [stamp for frame, stamp in up + down if frame not in common and stamp is not None]
        return min(stamps, default=0)

    def look_up(self, target, source, t):
        """Return the pose (4, 4), or the kind of the error."""
        if target == source:
            return np.eye(4)
        names = {name for each in self.sent for name in (each[1], each[2])}
        if target not in names or source not in names:
            return "lookup"
        if t == 0:
            t = self.newest(target, source)
            if t is None:
                return "connectivity"
            if t == 0:
                t = 1  # of static frames any time will do
        above_source, source_end = self.way_up(source, t)
        above_target, target_end = self.way_up(target, t)
        matrices = dict(above_source)
        for frame, X in above_target:
            if frame in matrices:
                return np.linalg.inv(X) @ matrices[frame]
        return "extrapolation" if "extrapolation" in (source_end, target_end) else "connectivity"


def matrix(position, rotation):
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation.as_matrix(), position
    return X
