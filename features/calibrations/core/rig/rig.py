"""Rig: poses of several calibrations as one graph of frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from framescope.core.errors import Problem, visible_text
from framescope.features.calibrations.core.calibration import Calibration, Edge, Fact, Lens
from framescope.features.calibrations.core.frame_names import with_frame_names, with_scene_names
from framescope.features.calibrations.core.rig.coincidence import same_frame_questions
from framescope.features.calibrations.core.rig.names import NameQuestion

MOST_EDGES = 5_000
"""Largest number of poses of a rig."""


@dataclass(frozen=True, eq=False)
class RigEdge:
    """Pose of a rig, with its place.

    Attributes
    ----------
    edge
        The pose, with the names of its frames in the rig.
    file
        File that holds it; empty for a pose that is written in a scene.
    item
        Kind and name of its item in a scene; None outside of scenes.
    """

    edge: Edge
    file: str = ""
    item: tuple[str, str] | None = None

    @property
    def label(self) -> str:
        """Place of the numbers, such as ``"camchain.yaml: cam0.T_cam_imu"``.

        >>> import numpy as np
        >>> from framescope.core.transform import Transform
        >>> RigEdge(Edge("imu", "cam0", Transform(np.eye(3), np.zeros(3)), "cam0.T_BS"), "sensor.yaml").label
        'sensor.yaml: cam0.T_BS'
        """
        entry = visible_text(self.edge.entry)
        return f"{visible_text(self.file)}: {entry}" if self.file else entry

    @property
    def frames(self) -> tuple[str, str]:
        """Parent and child."""
        return self.edge.parent, self.edge.child


@dataclass(frozen=True, eq=False)
class Rig:
    """Poses of several files as one graph.

    Attributes
    ----------
    edges
        The poses.
    lenses
        Cameras, the first file that names a frame first.
    facts
        Other numbers, by file.
    questions
        Names that may mean the same frame.
    problems
        Faults of the files. The key path begins with the file.
    """

    edges: tuple[RigEdge, ...]
    lenses: tuple[Lens, ...] = ()
    facts: tuple[tuple[str, Fact], ...] = ()
    questions: tuple[NameQuestion, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def frames(self) -> tuple[str, ...]:
        """Names of all frames, in the order of the files."""
        names = [name for edge in self.edges for name in edge.frames]
        return tuple(dict.fromkeys([*names, *(lens.frame for lens in self.lenses)]))

    @property
    def ends(self) -> tuple[tuple[str, str], ...]:
        """Parent and child of each edge."""
        return tuple(edge.frames for edge in self.edges)


def merge(files: Sequence[tuple[str, Calibration]], same: Mapping[str, str] | None = None) -> Rig:
    """Return the rig of several calibrations. Frames of equal names are one frame.

    Parameters
    ----------
    files
        Name and content of each file. Files of equal names are numbered.
    same
        Other names of frames, which are the answers to `Rig.questions`: ``{"camera0": "cam0"}``.

    Examples
    --------
    >>> import numpy as np
    >>> from framescope.core.transform import Transform
    >>> X = Transform(np.eye(3), np.zeros(3))
    >>> first = Calibration("kalibr", (Edge("imu0", "cam0", X, "cam0.T_cam_imu"),))
    >>> second = Calibration("other", (Edge("base", "camera0", X, "camera0"),))
    >>> rig = merge([("a.yaml", first), ("b.yaml", second)])
    >>> rig.frames, rig.questions[0].names
    (('imu0', 'cam0', 'base', 'camera0'), ('cam0', 'camera0'))
    >>> merge([("a.yaml", first), ("b.yaml", second)], {"camera0": "cam0"}).frames
    ('imu0', 'cam0', 'base')
    """
    edges: list[RigEdge] = []
    lenses: dict[str, Lens] = {}
    facts: list[tuple[str, Fact]] = []
    problems: list[Problem] = []
    frames_by_file: dict[str, tuple[str, ...]] = {}
    for file, content in zip(_numbered(name for name, _ in files), (content for _, content in files), strict=True):
        calibration = with_frame_names(with_scene_names(content), same or {})
        names = [name for edge in calibration.edges for name in (edge.parent, edge.child)]
        frames_by_file[file] = tuple(dict.fromkeys([*names, *(lens.frame for lens in calibration.lenses)]))
        for edge in calibration.edges:
            if edge.parent == edge.child:
                message = f"{edge.entry} is the pose of {edge.parent} in itself."
                problems.append(Problem((file, edge.entry), message, "It is left out.", "amber", kind="same frame"))
                continue
            edges.append(RigEdge(edge, file))
        for lens in calibration.lenses:
            lenses.setdefault(lens.frame, lens)
        facts += [(file, fact) for fact in calibration.facts]
        problems += [replace(problem, key_path=(file, *problem.key_path)) for problem in calibration.problems]
    if len(edges) > MOST_EDGES:
        message = f"the files hold {len(edges):,} poses: only the first {MOST_EDGES:,} are used."
        problems.append(Problem((), message, severity="amber", kind="too many poses"))
    questions = same_frame_questions(frames_by_file, [edge.edge for edge in edges[:MOST_EDGES]])
    return Rig(tuple(edges[:MOST_EDGES]), tuple(lenses.values()), tuple(facts), questions, tuple(problems))


def _numbered(names: Iterable[str]) -> list[str]:
    """Return names of files, those that occur again with a number."""
    seen: Counter[str] = Counter()
    numbered: list[str] = []
    for name in names:
        seen[name] += 1
        numbered.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return numbered
