"""Writing scene files: comments and order of a hand-written file stay, and a crash leaves the old one."""

# Plain data of any shape goes through here: what is unknown about it is checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import errno
import io
import os
import tempfile
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

from framescope.core.scene.model import Scene


def scene_text(scene: Scene, original: str | None = None) -> str:
    r"""Return a scene as the text of a file, keeping comments and order of `original` where it can.

    Examples
    --------
    >>> from framescope.core.scene.loading import parse_scene
    >>> text = "framescope: 1 # the version\ntitle: Before\n"
    >>> scene = parse_scene(text)[0].model_copy(update={"title": "After"})
    >>> print(scene_text(scene, text), end="")
    framescope: 1 # the version
    title: After
    """
    from ruamel.yaml import YAML  # slow to import, and only needed here

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 120
    yaml.indent(mapping=2, sequence=4, offset=2)
    data = _plain(scene.model_dump(exclude_unset=True))
    document = yaml.load(original) if original else None
    if isinstance(document, MutableMapping):
        _merge(document, data)
        data = document
    else:
        _flow_vectors(data)
    out = io.StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that after a crash either the old or the new one is there, whole."""
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):
        # Replacing needs no permission on the file itself, but whoever took it away meant something by it.
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else _new_file_mode())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _new_file_mode() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _plain(value: Any) -> Any:
    """Return plain mappings, lists and scalars; whole floats as integers, as a person writes them."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value


def _merge(document: MutableMapping[str, Any], data: Mapping[str, Any]) -> None:
    """Make `document` equal to `data`, touching only what differs."""
    for key in [key for key in document if key not in data]:
        del document[key]
    for key, value in data.items():
        old = document.get(key)
        if isinstance(value, Mapping) and isinstance(old, MutableMapping):
            _merge(old, value)
        elif isinstance(value, list) and isinstance(old, list) and len(value) == len(old):
            for i, item in enumerate(value):
                if isinstance(item, Mapping) and isinstance(old[i], MutableMapping):
                    _merge(old[i], item)
                elif isinstance(item, list) and isinstance(old[i], list) and len(item) == len(old[i]):
                    old[i][:] = item
                elif old[i] != item:
                    old[i] = item
        elif key not in document or old != value:
            _flow_vectors(value)
            document[key] = value if not isinstance(value, list) else _flow(value)


def _flow_vectors(value: Any) -> None:
    """Mark short lists of scalars so that they are written on one line."""
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, list):
                value[key] = _flow(item)
            else:
                _flow_vectors(item)


def _flow(items: list[Any]) -> list[Any]:
    from ruamel.yaml.comments import CommentedSeq

    sequence = CommentedSeq(items)
    if all(not isinstance(item, dict | list) for item in items):
        sequence.fa.set_flow_style()
    else:
        for i, item in enumerate(items):
            _flow_vectors(item)
            if isinstance(item, list):
                sequence[i] = _flow(item)
    return sequence
