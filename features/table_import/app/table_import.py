"""Import of a table without a window: the decisions, what they give, and the scene that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.edits.recordings import add_measurements, add_recordings, frame_name, place_file
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.motions import Recorded
from framescope.core.system.atomic_write import copy_atomically
from framescope.features.table_import.core.answers import ALL, NO_ANSWERS, Answers
from framescope.features.table_import.core.choices import Choices, TableSource, motion_of, sources
from framescope.features.table_import.core.decisions import Decision, decisions
from framescope.features.table_import.core.guess_columns import guess
from framescope.features.table_import.core.row_checks import stamps_of
from framescope.features.table_import.core.scene_start import end_of, placed_choices, start_by_clocks
from framescope.features.table_import.core.shared_clocks import recorded_clocks
from framescope.features.table_import.core.summaries import Mending, RecordingSummary, summary_of
from framescope.features.table_import.core.vectors import chosen_vectors, measured_of, vector_sources


@dataclass(frozen=True, eq=False)
class TableImport:
    """A table, how it is read, and what it holds then.

    `units` are those of measured vectors by their form, where they are not the guessed ones.
    """

    path: Path
    table: MixedTable
    choices: Choices
    decisions: tuple[Decision, ...]
    summaries: tuple[RecordingSummary, ...]
    units: dict[str, str]

    @property
    def open_decisions(self) -> tuple[Decision, ...]:
        """What nothing settles."""
        return tuple(each for each in self.decisions if each.certainty == "open")

    @property
    def is_usable(self) -> bool:
        """Whether something of it can be imported, and nothing is in the way."""
        return bool(self.summaries) and all(each.is_usable for each in self.summaries)


def import_table(path: Path, table: MixedTable, answers: Answers = NO_ANSWERS) -> TableImport:
    """Return how a table is read, and what it holds then."""
    found = guess(table, path.name, answers)
    choices = found.choices
    chosen = chosen_vectors(table, answers.vectors)
    decided = tuple(_answered(each, answers) for each in decisions(table, choices, found.reasons, chosen))
    wanted: Sequence[TableSource] = chosen or vector_sources(table, choices) or sources(table, choices)
    mending: Mending = "safe" if answers.mends is None else "all" if answers.mends == ALL else "chosen"
    choices = choices if mending != "chosen" else replace(choices, mends=answers.mends or ())
    summaries = tuple(summary_of(table, choices, each, _unit(each, answers), mending) for each in wanted)
    return TableImport(path, table, choices, decided, summaries, dict(answers.units))


def _answered(decision: Decision, answers: Answers) -> Decision:
    for form, unit in answers.units.items():
        if decision.name == f"{form.replace(' ', '_')}_unit":
            others = tuple(each for each in (decision.value, *decision.alternatives) if each != unit)
            return Decision(decision.name, unit, others, "as you said", "certain", "", decision.field)
    return decision


def _unit(source: TableSource, answers: Answers) -> str:
    return "" if source.vector is None else answers.units.get(source.vector.form, "")


def added_to(scene: Scene, found: TableImport, folder: Path | None = None) -> Scene:
    """Return a scene with what a table holds; its file is copied into the folder of the scene where it lies elsewhere.

    Raises
    ------
    FramescopeError
        When nothing of it can be used, or the file cannot be copied.
    """
    place = place_file(found.path, folder, ".txt")
    if place.copy_to is not None:
        try:
            copy_atomically(found.path, place.copy_to)
        except OSError as error:
            raise FramescopeError(f"{found.path.name} is not copied to the scene: {error.strerror or error}.") from None
    usable = [each for each in found.summaries if each.is_usable]
    if not usable:
        raise FramescopeError(f"{found.path.name} holds nothing that can be imported.")
    placements = _placements(scene, found, usable, folder)
    end = end_of((each.start_s, one.duration) for each, one in zip(placements, usable, strict=True))
    end_s = max(end, scene.time.end.si("time", ("time", "end"))) if scene.frames else end
    try:
        if usable[0].source.vector is not None:
            return _with_vectors(scene, found, usable, placements, place.name, end_s)
        return _with_frames(scene, usable, placements, found.path.stem, place.name, end_s)
    except ValueError as error:
        raise FramescopeError(f"{found.path.name}: {error}.") from None


def _placements(
    scene: Scene, found: TableImport, usable: Sequence[RecordingSummary], folder: Path | None
) -> list[Choices]:
    """Return the choices of each recording with its start, by the clocks of what the scene holds already."""
    clocks = recorded_clocks(compile_plan(scene, folder)) if scene.frames or scene.measured else ()
    start_s, _ = start_by_clocks(found.table, found.choices, clocks)
    choices, stamps = replace(found.choices, start_s=start_s), stamps_of(found.table, found.choices)
    return [placed_choices(choices, stamps, each.first_time) for each in usable]


def _with_frames(
    scene: Scene,
    usable: Sequence[RecordingSummary],
    placements: Sequence[Choices],
    stem: str,
    file: str,
    end_s: float,
) -> Scene:
    names: dict[str, str] = {}
    for each in usable:
        label = each.source.label
        names[label] = frame_name(label or stem, [*scene.frames, *names.values()])
    frames: list[tuple[str, str, Recorded]] = []
    for each, choices in zip(usable, placements, strict=True):
        motion = motion_of(choices, each.source, file, each.mends)
        parent = names.get(each.source.parent, WORLD) if each.source.parent else WORLD
        frames.append((names[each.source.label], parent, motion))
    return add_recordings(frames, end_s).apply(scene)


def _with_vectors(
    scene: Scene,
    found: TableImport,
    usable: Sequence[RecordingSummary],
    placements: Sequence[Choices],
    file: str,
    end_s: float,
) -> Scene:
    of = next(iter(scene.frames), "")
    if not of:
        of = frame_name(found.path.stem, ())
        scene = scene.model_copy(update={"frames": FrozenDict({of: Frame(parent=WORLD)})})
    measured: dict[str, MeasuredVector] = {}
    for each, choices in zip(usable, placements, strict=True):
        vector = each.source.vector
        if vector is not None:
            name = frame_name(f"{found.path.stem} {vector.form}", [*scene.measured, *measured])
            unit = found.units.get(vector.form, vector.unit)
            measured[name] = measured_of(choices, vector, file, of=of, resolved_in=of, unit=unit, mends=each.mends)
    return add_measurements(measured, end_s).apply(scene)
