"""Edits that add recorded frames, measured vectors and plots of columns, and the placement of their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from framescope.core.errors import did_you_mean
from framescope.core.scene.edits.answers import give_answer
from framescope.core.scene.edits.base import Edit, with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, free_name, new_name, taken_names
from framescope.core.scene.edits.plots import add_plot, signals_of
from framescope.core.scene.files.referenced_files import KNOWN_FILES
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.scene.schema.signals import components_of
from framescope.core.scene.schema.view import AnswerForm, Plot, PlottedSignal, Trail

MAX_NAME_LENGTH = 200
MAX_TRAILS = 100


def add_recordings(frames: Sequence[tuple[str, str, Recorded]], end_s: float | None = None) -> ItemEdit:
    """Return the edit that adds recorded frames, with trails of their whole paths.

    Parameters
    ----------
    frames
        Name of each frame, its parent (in the scene, or added with it), and its motion.
    end_s
        New end of the scene, s; unchanged by default.

    Returns
    -------
    ItemEdit
        Applying it raises a `ValueError` when a name is taken or unusable, or a parent does not exist.

    Examples
    --------
    >>> motion = Recorded(file="a.txt", format="tum", bandwidth="4 Hz")
    >>> add_recordings([("camera", "world", motion)]).apply(Scene()).frames["camera"].motion.file
    'a.txt'
    """
    names = [name for name, _, _ in frames]
    label = f"Imported {names[0]}" if len(names) == 1 else f"Imported {len(names)} recorded frames"

    def apply(scene: Scene) -> Scene:
        for name, problem in zip(names, name_problems(scene, names), strict=True):
            if problem:
                raise ValueError(f"{name}: {problem}")
        parents = [parent for _, parent, _ in frames]
        for name, parent in zip(names, parents, strict=True):
            known = (WORLD, *scene.frames, *names)
            if parent not in known:
                raise ValueError(f"{name}: there is no frame {parent} to be its parent. {did_you_mean(parent, known)}")
        added = {name: Frame(parent=parent, motion=motion) for name, parent, motion in frames}
        paths = [Trail(frame=name) for name, _, motion in frames if motion.columns is None or motion.columns.position]
        trails = (*scene.view.trails, *paths)
        view = scene.view.model_copy(update={"trails": trails}) if len(trails) <= MAX_TRAILS else scene.view
        if own_ancestor := _find_cycle(added):
            raise ValueError(f"{own_ancestor}: it would be its own parent")
        frames_after = scene.frames | FrozenDict(added)
        return _set_end(scene.model_copy(update={"frames": frames_after, "view": view}), end_s)

    return ItemEdit(label, apply, tuple(("frames", name) for name in names))


def add_measurements(vectors: Mapping[str, MeasuredVector], end_s: float | None = None) -> ItemEdit:
    """Return the edit that adds measured vectors by name; `end_s` and errors are as in `add_recordings`."""
    names = list(vectors)
    label = f"Imported {names[0]}" if len(names) == 1 else f"Imported {len(names)} measured vectors"

    def apply(scene: Scene) -> Scene:
        for name, problem in zip(names, measured_problems(scene, names), strict=True):
            if problem:
                raise ValueError(f"{name}: {problem}")
        return _set_end(scene.model_copy(update={"measured": scene.measured | FrozenDict(vectors)}), end_s)

    return ItemEdit(label, apply, tuple(("measured", name) for name in names))


def add_recorded_plot(sensor: RecordedSensor, at: int | None = None) -> Edit:
    """Return the edit that plots a column of a table, before the plot at an index or at the end.

    Parameters
    ----------
    sensor
        Sensor of this column only. It is added with the name of the column, unless the scene already has a sensor with
        this column.

    Returns
    -------
    Edit
        Applying it raises a `ValueError` when the scene already has the largest number of sensors or plots.

    Examples
    --------
    >>> power = RecordedSensor(file="run_res.mat", time="time", time_unit="s", values=("damper.lossPower",), unit="W")
    >>> scene = add_recorded_plot(power).apply(Scene())
    >>> scene = add_recorded_plot(power).apply(scene)
    >>> tuple(scene.sensors), [plot.of for plot in scene.view.plots]
    (('damper.lossPower',), ['damper.lossPower', 'damper.lossPower'])
    """
    return _show_column(sensor, "plot", lambda plot: add_plot(plot, at))


def add_recorded_card(sensor: RecordedSensor, form: AnswerForm) -> Edit:
    """Return the edit that shows a column of a table as a number or a sentence; see `add_recorded_plot`.

    >>> power = RecordedSensor(file="run_res.mat", time="time", time_unit="s", values=("damper.lossPower",), unit="W")
    >>> edit = add_recorded_card(power, "number")
    >>> edit.label, [(card.form, card.of) for card in edit.apply(Scene()).view.answers]
    ('Added a number of damper.lossPower', [('number', 'damper.lossPower')])
    """
    return _show_column(sensor, form, lambda plot: give_answer(signals_of(plot)[0], form))


def _show_column(sensor: RecordedSensor, what: str, show: Callable[[Plot], Edit]) -> Edit:
    """Return the edit that adds the sensor of a column, if the scene has none, and then shows it."""
    (column,) = sensor.values

    def apply(scene: Scene) -> Scene:
        plot = plot_of_column(scene, sensor)
        if plot is None:
            name = new_name(taken_names(scene, "sensors"), _valid_name(column))
            scene = check_sizes(with_item(scene, "sensors", name, sensor))
            plot = Plot(signal="sensor", of=name)
        return show(plot).apply(scene)

    return Edit(f"Added a {what} of {_valid_name(column)}", apply)


def plot_of_column(scene: Scene, sensor: RecordedSensor) -> Plot | None:
    """Return the plot of a sensor's only column by a sensor of the scene, preferring one of this column alone."""
    file, (column,) = sensor.file, sensor.values
    columns = {
        name: item.values
        for name, item in scene.sensors.items()
        if isinstance(item, RecordedSensor) and item.file == file and column in item.values
    }
    name = min(columns, key=lambda name: len(columns[name]), default=None)
    if name is None or len(columns[name]) == 1:
        return None if name is None else Plot(signal="sensor", of=name)
    usual = components_of(PlottedSignal(signal="sensor", of=name), scene).usual
    return Plot(signal="sensor", of=name, components=(usual[columns[name].index(column)],))


def _set_end(scene: Scene, end_s: float | None) -> Scene:
    if end_s is None:
        return scene
    time = scene.time.model_copy(update={"end": Quantity(end_s, "s")})
    return scene.model_copy(update={"time": time})


def name_problems(scene: Scene, names: Sequence[str]) -> tuple[str, ...]:
    """Return the problem of each name of new frames, as a sentence; empty if the name is valid.

    >>> name_problems(Scene(), ["camera", "world", "camera", " "])[1:]
    ('The world is there already.', 'Two frames have this name.', 'Give it a name.')
    """
    return _name_problems(
        {WORLD: "The world is there already."} | _taken_problems("frame", scene.frames), "frames", names
    )


def measured_problems(scene: Scene, names: Sequence[str]) -> tuple[str, ...]:
    """Return the problem of each name of new measurements, as a sentence; empty if the name is valid."""
    return _name_problems(_taken_problems("measurement", scene.measured), "measurements", names)


def _taken_problems(kind: str, names: Iterable[str]) -> dict[str, str]:
    return {name: f"The scene has a {kind} {name} already." for name in names}


def _name_problems(taken: Mapping[str, str], kinds: str, names: Sequence[str]) -> tuple[str, ...]:
    problems: list[str] = []
    for i, name in enumerate(names):
        if not name.strip():
            problems.append("Give it a name.")
        elif name in taken:
            problems.append(taken[name])
        elif name in names[:i]:
            problems.append(f"Two {kinds} have this name.")
        elif name != name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
            problems.append("A name is up to 200 characters that print, without blanks at its ends.")
        else:
            problems.append("")
    return tuple(problems)


def frame_name(wanted: str, taken: Sequence[str]) -> str:
    """Return a free name for a frame, as similar as possible to the wanted one.

    >>> frame_name("camera", ["camera", "camera 2"]), frame_name("  ", [])
    ('camera_2', 'recorded')
    """
    return free_name({*taken, WORLD}, _valid_name(wanted))


def _valid_name(wanted: str) -> str:
    """Return a valid name, as similar as possible to the wanted one."""
    name = re.sub(r"\s+", " ", "".join(mark for mark in wanted if mark.isprintable()))
    return name.strip("/ ")[:180].strip() or "recorded"


def _find_cycle(added: dict[str, Frame]) -> str:
    """Return a frame that is its own ancestor through frames added together; empty if there is none."""
    for name, frame in added.items():
        at, n = frame.parent, 0
        while at in added and n <= len(added):
            if at == name:
                return name
            at, n = added[at].parent, n + 1
    return ""


# --- Files


@dataclass(frozen=True)
class FilePlace:
    """Name of a file in a scene, and the place of the file.

    Attributes
    ----------
    name
        Name in the scene: relative to its folder, with ``/`` between folders.
    copy_to
        Path of a copy, if the file is outside the folder of the scene; None if no copy is needed.
    needs_folder
        Whether the scene must be saved first, because it has no folder yet and the name is valid only beside the file.
    """

    name: str
    copy_to: Path | None = None
    needs_folder: bool = False


def place_file(path: Path, folder: Path | None, suffix: str = "") -> FilePlace:
    """Return the name of a file in a scene, and the place to copy it to.

    Parameters
    ----------
    path
        The file.
    folder
        The folder of the scene; None when it has not been saved yet.
    suffix
        Suffix of the copy if scenes cannot name files with the suffix of this file.

    Notes
    -----
    Without the user's consent a scene reads nothing outside its folder, even through links (see `named_files`). A file
    from another place is therefore copied beside the scene, under a free name unless the same file is there already.
    """
    path = path.resolve()
    if folder is None:
        return FilePlace(path.name, needs_folder=True)
    folder = folder.resolve()
    is_known = path.suffix.lower() in KNOWN_FILES
    if is_known and path.is_relative_to(folder):
        return FilePlace(path.relative_to(folder).as_posix())
    stem, suffix = (path.stem, path.suffix) if is_known else (path.name, suffix)
    target = folder / f"{stem}{suffix}"
    i = 2
    while target.exists() and not _is_same(target, path):
        target = folder / f"{stem} {i}{suffix}"
        i += 1
    return FilePlace(target.name, None if target.exists() else target)


def _is_same(first: Path, second: Path) -> bool:
    """Return whether two files have the same content."""
    try:
        return first.stat().st_size == second.stat().st_size and first.read_bytes() == second.read_bytes()
    except OSError:
        return False
