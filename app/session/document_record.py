"""Record of a document and its history as JSON, for a process that continues with the same document.

A record is not trusted. Its scenes and texts are read like any scene file, within limits of number and size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from framescope.app.session.document import MAX_POINTS, Document, DocumentState, HistoryPoint
from framescope.app.session.known_texts import MAX_TEXTS, KnownText, KnownTexts
from framescope.app.session.recovery import MAX_PATH_LENGTH, scene_json
from framescope.core.errors import Problem, SceneError
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES
from framescope.core.scene.schema.model import Scene

MAX_CHARACTERS = 5_000_000
"""Largest number of characters of all scenes beside the present and the saved one; reading them takes a second."""

MAX_TEXT_CHARACTERS = 2_000_000
"""Largest number of characters of the file's texts beside the last one."""

MAX_LABEL = 1000
"""Largest number of characters of a step's label."""

MAX_SELECTED = 10_000
"""Largest number of items that a step has selected."""

SOURCE = "the record of an open scene"

_Text = Annotated[str, Field(max_length=MAX_FILE_BYTES)]
_Path = Annotated[str, Field(max_length=MAX_PATH_LENGTH)]
_Index = Annotated[int, Field(ge=0)]
_Selected = Annotated[tuple[tuple[str, str], ...], Field(max_length=MAX_SELECTED)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _PointRecord(_Record):
    """Point of the history; `scene` is a position in the record's scenes."""

    scene: _Index
    label: Annotated[str, Field(max_length=MAX_LABEL)]
    before: _Selected
    after: _Selected


class _TextRecord(_Record):
    text: _Text
    era: _Index


class DocumentRecord(_Record):
    """Record of a `DocumentState`. `saved` and the points give positions in `scenes`; an empty path stands for none."""

    path: _Path
    folder: _Path
    source: _Path
    made_of: _Path
    scenes: Annotated[tuple[_Text, ...], Field(min_length=1, max_length=2 * MAX_POINTS + 2)]
    past: Annotated[tuple[_PointRecord, ...], Field(min_length=1, max_length=MAX_POINTS + 1)]
    future: Annotated[tuple[_PointRecord, ...], Field(max_length=MAX_POINTS)]
    saved: _Index
    texts: Annotated[tuple[_TextRecord, ...], Field(max_length=MAX_TEXTS)]
    era: _Index


class _SceneTable:
    """Scenes of a record as text, each once, within `MAX_CHARACTERS`."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._positions: dict[int, int] = {}
        self._n_characters = 0

    def add(self, scene: Scene) -> int:
        """Add a scene whatever its size; return its position."""
        if id(scene) not in self._positions:
            self._append(scene, scene_json(scene))
        return self._positions[id(scene)]

    def add_points(self, points: Iterable[HistoryPoint]) -> list[_PointRecord]:
        """Add the scenes of points in turn, and return the records of those that have room."""
        records: list[_PointRecord] = []
        for point in points:
            if id(point.scene) not in self._positions:
                text = scene_json(point.scene)
                self._n_characters += len(text)
                if self._n_characters > MAX_CHARACTERS:
                    break
                self._append(point.scene, text)
            label, before, after = point.label[:MAX_LABEL], point.before[:MAX_SELECTED], point.after[:MAX_SELECTED]
            scene = self._positions[id(point.scene)]
            records.append(_PointRecord(scene=scene, label=label, before=before, after=after))
        return records

    def _append(self, scene: Scene, text: str) -> None:
        self._positions[id(scene)] = len(self.texts)
        self.texts.append(text)


def write_record(document: Document) -> dict[str, Any]:
    """Return the record of a document as plain data. The oldest steps are left out if all would be too large."""
    state, table = document.state, _SceneTable()
    table.add(state.past[-1].scene)
    saved = table.add(state.saved)
    undone, redone = table.add_points(reversed(state.past)), table.add_points(reversed(state.future))
    texts: list[_TextRecord] = []
    n_characters = 0
    for known in reversed(state.texts.texts):
        n_characters += len(known.text) if texts else 0
        if n_characters > MAX_TEXT_CHARACTERS:
            break
        texts.append(_TextRecord(text=known.text, era=known.era))
    return DocumentRecord(
        path=_path_text(state.path),
        folder=_path_text(state.folder),
        source=_path_text(state.source),
        made_of=state.made_of,
        scenes=tuple(table.texts),
        past=tuple(reversed(undone)),
        future=tuple(reversed(redone)),
        saved=saved,
        texts=tuple(reversed(texts)),
        era=state.texts.era,
    ).model_dump(mode="json")


def read_record(data: Mapping[str, Any], *, allow_outside: bool = False) -> Document:
    """Return the document of a record.

    Raises
    ------
    SceneError
        When the record is broken or too large, or a scene in it is none.
    """
    try:
        record = DocumentRecord.model_validate(data)
    except ValidationError:
        raise _broken() from None
    n_scenes = len(record.scenes)
    positions = (record.saved, *(point.scene for point in (*record.past, *record.future)))
    is_too_large = sum(map(len, record.scenes)) > MAX_CHARACTERS + 2 * MAX_FILE_BYTES
    if is_too_large or max(positions) >= n_scenes:
        raise _broken()
    scenes = [parse_scene(text, SOURCE)[0] for text in record.scenes]

    def points(records: Iterable[_PointRecord]) -> tuple[HistoryPoint, ...]:
        return tuple(HistoryPoint(scenes[point.scene], point.label, point.before, point.after) for point in records)

    texts: list[KnownText] = []
    for known in record.texts:
        scene, lines = parse_scene(known.text, SOURCE)
        texts.append(KnownText(scene, known.text, lines, known.era))
    state = DocumentState(
        path=_path_of(record.path),
        folder=_path_of(record.folder),
        source=_path_of(record.source),
        made_of=record.made_of,
        past=points(record.past),
        future=points(record.future),
        saved=scenes[record.saved],
        texts=KnownTexts(tuple(texts), record.era),
    )
    return Document.from_state(state, allow_outside=allow_outside)


def _broken() -> SceneError:
    return SceneError(SOURCE, [Problem((), "the record is broken.", "Open the scene again.")])


def _path_text(path: Path | None) -> str:
    return "" if path is None else str(path.absolute())


def _path_of(text: str) -> Path | None:
    """Return the path in a record.

    Raises
    ------
    SceneError
        When it is not a whole path.
    """
    if not text:
        return None
    path = Path(text)
    if not text.isprintable() or not path.is_absolute():
        raise _broken()
    return path
