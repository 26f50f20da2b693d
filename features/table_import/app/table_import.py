"""Import of a table without a window: decisions, summaries and the scene made from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """A table with the choices for reading it, the decisions and the summaries of its frames or vectors.

    `units` are units of measured vectors that the user gave, by form.
    """

    path: Path
    table: MixedTable
    choices: Choices
    decisions: tuple[Decision, ...]
    summaries: tuple[RecordingSummary, ...]
    units: dict[str, str]

    @property
    def open_decisions(self) -> tuple[Decision, ...]:
        """Decisions that nothing settles."""
        return tuple(decision for decision in self.decisions if decision.certainty == "open")

    @property
    def is_usable(self) -> bool:
        """Whether the table has frames or vectors, and all of them can be imported."""
        return bool(self.summaries) and all(summary.is_usable for summary in self.summaries)


def import_table(path: Path, table: MixedTable, answers: Answers = NO_ANSWERS) -> TableImport:
    """Return the import of a table with guessed choices, corrected by the user's answers."""
    guessed = guess(table, path.name, answers)
    choices = guessed.choices
    chosen = chosen_vectors(table, answers.vectors)
    answered = tuple(_answer_unit(decision, answers) for decision in decisions(table, choices, guessed.reasons, chosen))
    wanted: Sequence[TableSource] = chosen or vector_sources(table, choices) or sources(table, choices)
    mending: Mending = "safe" if answers.mends is None else "all" if answers.mends == ALL else "chosen"
    choices = choices if mending != "chosen" else replace(choices, mends=answers.mends or ())
    summaries = tuple(summary_of(table, choices, source, _unit(source, answers), mending) for source in wanted)
    return TableImport(path, table, choices, answered, summaries, dict(answers.units))


def _answer_unit(decision: Decision, answers: Answers) -> Decision:
    form = decision.name.removesuffix("_unit").replace("_", " ")
    unit = _unit_of(form, answers.units) if decision.name.endswith("_unit") else ""
    if not unit:
        return decision
    others = tuple(other for other in (decision.value, *decision.alternatives) if other != unit)
    return Decision(decision.name, unit, others, "as you said", "certain", "", decision.field)


def _unit(source: TableSource, answers: Answers) -> str:
    return "" if source.vector is None else _unit_of(source.vector.form, answers.units)


def _unit_of(form: str, units: Mapping[str, str]) -> str:
    """Return the unit that the user gave for a vector; that of accelerations holds for specific forces, too."""
    return units.get(form) or (units.get("acceleration", "") if form == "specific force" else "")


def add_table(scene: Scene, imported: TableImport, folder: Path | None = None) -> Scene:
    """Return a scene with the frames or vectors of a table; its file is copied into the scene's folder if needed.

    Raises
    ------
    FramescopeError
        When nothing in the table can be used, or the file cannot be copied.
    """
    place = place_file(imported.path, folder, ".txt")
    if place.copy_to is not None:
        try:
            copy_atomically(imported.path, place.copy_to)
        except OSError as error:
            raise FramescopeError(
                f"{imported.path.name} is not copied to the scene: {error.strerror or error}."
            ) from None
    usable = [summary for summary in imported.summaries if summary.is_usable]
    if not usable:
        raise FramescopeError(f"{imported.path.name} holds nothing that can be imported.")
    placements = _placements(scene, imported, usable, folder)
    end = end_of((choices.start_s, summary.duration) for choices, summary in zip(placements, usable, strict=True))
    end_s = max(end, scene.time.end.si("time", ("time", "end"))) if scene.frames else end
    try:
        if usable[0].source.vector is not None:
            return _with_vectors(scene, imported, usable, placements, place.name, end_s)
        return _with_frames(scene, usable, placements, imported.path.stem, place.name, end_s)
    except ValueError as error:
        raise FramescopeError(f"{imported.path.name}: {error}.") from None


def _placements(
    scene: Scene, imported: TableImport, usable: Sequence[RecordingSummary], folder: Path | None
) -> list[Choices]:
    """Return the choices of each recording with its start, by the clocks of the scene's recordings."""
    clocks = recorded_clocks(compile_plan(scene, folder)) if scene.frames or scene.measured else ()
    start_s, _ = start_by_clocks(imported.table, imported.choices, clocks)
    choices, stamps = replace(imported.choices, start_s=start_s), stamps_of(imported.table, imported.choices)
    return [placed_choices(choices, stamps, summary.first_time) for summary in usable]


def _with_frames(
    scene: Scene,
    usable: Sequence[RecordingSummary],
    placements: Sequence[Choices],
    stem: str,
    file: str,
    end_s: float,
) -> Scene:
    names: dict[str, str] = {}
    stated = {summary.source.parent.strip("/") for summary in usable if summary.source.value is None}
    for summary in usable:
        label = summary.source.label
        names[label] = frame_name(label or stem, [*scene.frames, *stated, *names.values()])
    frames: list[tuple[str, str, Recorded]] = []
    for summary, choices in zip(usable, placements, strict=True):
        source = summary.source
        motion = motion_of(choices, source, file, summary.mends)
        parent = names.get(source.parent, WORLD) if source.parent else WORLD
        if source.value is None and (stated := source.parent.strip("/")):  # the parent of all rows
            scene, parent = _with_frame(scene, stated)
        frames.append((names[source.label], parent, motion))
    return add_recordings(frames, end_s).apply(scene)


def _with_frame(scene: Scene, name: str) -> tuple[Scene, str]:
    """Return a scene with a frame of a name, in world unless the scene has it, and the name of the frame."""
    if name == WORLD or name in scene.frames:
        return scene, name
    own = frame_name(name, tuple(scene.frames))
    return scene.model_copy(update={"frames": scene.frames | FrozenDict({own: Frame(parent=WORLD)})}), own


def _with_vectors(
    scene: Scene,
    imported: TableImport,
    usable: Sequence[RecordingSummary],
    placements: Sequence[Choices],
    file: str,
    end_s: float,
) -> Scene:
    of = next(iter(scene.frames), "")
    if not of:
        of = frame_name(imported.path.stem, ())
        scene = scene.model_copy(update={"frames": FrozenDict({of: Frame(parent=WORLD)})})
    measured: dict[str, MeasuredVector] = {}
    for summary, choices in zip(usable, placements, strict=True):
        vector = summary.source.vector
        if vector is not None:
            name = frame_name(f"{imported.path.stem} {vector.form}", [*scene.measured, *measured])
            unit = _unit_of(vector.form, imported.units) or vector.unit
            measured[name] = measured_of(choices, vector, file, of=of, resolved_in=of, unit=unit, mends=summary.mends)
    return add_measurements(measured, end_s).apply(scene)
