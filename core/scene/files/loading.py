"""Loading of scene files: file to text, text to plain data, and plain data to a `Scene`.

Files are not trusted: any content is read within limits of time and memory (`yaml_reading`), or rejected with its place
(`schema_problems`).
"""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from framescope.core.errors import KeyPath, Problem, SceneError, did_you_mean
from framescope.core.scene.files.migrations import migrate
from framescope.core.scene.files.validation_messages import locate, schema_problems
from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES, YamlReader, too_large
from framescope.core.scene.schema.model import Scene
from framescope.core.system.garbage_collection import pause_collector


@dataclass(frozen=True)
class LoadedScene:
    """A scene with its origin: path and text of the file, and the line of every key path.

    File names in the scene are relative to `folder`, or to the folder of the file if it is None.
    """

    scene: Scene
    path: Path
    text: str
    lines: Mapping[KeyPath, int]
    folder: Path | None = None

    @property
    def home(self) -> Path:
        """Folder to which file names in the scene are relative, with links resolved."""
        return self.path.resolve().parent if self.folder is None else self.folder

    def locate(self, problem: Problem) -> Problem:
        """Return the problem with its line in the file."""
        return locate(problem, self.lines)


def load_scene(path: str | Path) -> LoadedScene:
    """Read a scene file.

    Raises
    ------
    SceneError
        When the file is missing, unreadable or not a scene; the error lists all faults with their places and fixes.
    """
    path = Path(path)
    text = scene_file_text(path)
    scene, lines = parse_scene(text, str(path))
    return LoadedScene(scene, path, text, lines)


def scene_file_text(path: Path) -> str:
    """Return the text of a scene file with line feeds as line ends; raise `SceneError` if unreadable."""
    return _decode(_read_bytes(path, str(path)), str(path))


def parse_scene(text: str, source: str = "scene") -> tuple[Scene, dict[KeyPath, int]]:
    r"""Read the text of a scene file; return the scene and the line of every key path.

    Raises
    ------
    SceneError
        When the text is not a scene.

    Examples
    --------
    >>> scene, lines = parse_scene("framescope: 1\ntitle: Two frames\n")
    >>> scene.title, lines[("title",)]
    ('Two frames', 2)
    """
    with pause_collector():
        reader = YamlReader(text, source)
        data, lines = reader.document(), reader.lines
        if not isinstance(data, dict) or "framescope" not in data:
            message = "this is no scene file: the version is missing."
            raise SceneError(source, [Problem((), message, "Begin it with the line framescope: 1.")])
        try:
            data = migrate(data, source)
            return Scene.model_validate(data), lines
        except SceneError as error:
            raise SceneError(source, [locate(problem, lines) for problem in error.problems]) from None
        except ValidationError as error:
            raise SceneError(source, schema_problems(error, data, lines)) from None


def _read_bytes(path: Path, source: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SceneError(source, [Problem((), "this is a folder, expected a file.", "Name a file in it.")])
        if not stat.S_ISREG(mode):  # opening a pipe would wait for its writer
            message = "this is no ordinary file."
            raise SceneError(source, [Problem((), message, "Copy what it gives into a file first.")])
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        siblings = [item.name for item in islice(path.parent.glob("*.yaml"), 1000)] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, siblings) if siblings else "Check the path."
        raise SceneError(source, [Problem((), "there is no such file.", hint)]) from None
    except OSError as error:
        raise SceneError(source, [Problem((), f"the file cannot be read: {error.strerror}.")]) from None
    except ValueError:  # such as a NUL in the name
        raise SceneError(source, [Problem((), "this is no file name.")]) from None
    if len(data) > MAX_FILE_BYTES:
        raise SceneError(source, [too_large()])
    return data


def _decode(data: bytes, source: str) -> str:
    """Return the text of a file with line feeds as line ends."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise SceneError(source, [Problem((), "the file is text in UTF-16 or UTF-32.", "Save it as UTF-8.", line=1)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8 text: it holds the byte 0x{data[error.start]:02x}."
        raise SceneError(source, [Problem((), message, "Save it as UTF-8.", line=line)]) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
