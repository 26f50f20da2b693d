"""Opening of bags: the kind of a file or folder, and several files that form one recording.

Every path that the user opens is tested for being a bag, so a reader is imported only for a file of its kind.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, cast

import yaml

from framescope.core.system.bag_names import METADATA
from framescope.core.system.optional_packages import MCAP
from framescope.features.bags.core.bag import (
    MCAP_MAGIC,
    ROS1_MAGIC,
    SQLITE_MAGIC,
    Bag,
    BagError,
    Channel,
    RawMessage,
    Wanted,
)

METADATA_KEY = "rosbag2_bagfile_information"

_HEAD_BYTES = 64
_MAX_METADATA = 4 << 20
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_PATTERNS = ("*.mcap", "*.db3", "*.bag", "*.mcap.zstd", "*.db3.zstd")


@dataclass
class BagParts:
    """Several consecutive files as one bag.

    Attributes
    ----------
    parts
        The bag of each file.
    own_damages
        Messages about files that could not be read.
    unpacked
        Folder with the unpacked files. It is removed on closing, as by ``with``, or together with this object.
    """

    parts: tuple[Bag, ...]
    own_damages: list[str] = field(default_factory=list)
    unpacked: Path | None = None

    def __post_init__(self) -> None:
        if self.unpacked is not None:
            self._remove = weakref.finalize(self, shutil.rmtree, self.unpacked, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.unpacked is not None:
            self._remove()

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Channels of all parts; channels of the same topic, type and publisher are merged."""
        counts: Counter[Channel] = Counter()
        for part in self.parts:
            for channel in part.channels:
                counts[channel.with_count(0)] += channel.count
        return tuple(channel.with_count(count) for channel, count in counts.items())

    @property
    def span_ns(self) -> tuple[int, int] | None:
        """First and last time of reception over all parts, ns."""
        spans = [part.span_ns for part in self.parts if part.span_ns is not None]
        return (min(begin for begin, _ in spans), max(end for _, end in spans)) if spans else None

    @property
    def damages(self) -> list[str]:
        """Messages about what could not be read of any part."""
        return [*self.own_damages, *(text for part in self.parts for text in part.damages)]

    def messages(self, is_wanted: Wanted) -> Iterator[RawMessage]:
        """Yield the messages of some channels, part by part."""
        for part in self.parts:
            yield from part.messages(is_wanted)


def is_bag(head: bytes, _size: int = 0) -> bool:
    """Return whether a file begins like a bag or like the metadata file of a bag.

    >>> is_bag(b"#ROSBAG V2.0"), is_bag(b"t,x,y,z")
    (True, False)
    """
    return head.startswith((b"#ROSBAG", MCAP_MAGIC[:6], SQLITE_MAGIC)) or head.lstrip().startswith(
        METADATA_KEY.encode()
    )


def is_bag_at(path: Path) -> bool:
    """Return whether a path leads to a bag: a file that begins like one, or a folder that contains one."""
    try:
        if not path.is_file():  # opening a pipe would wait for its writer
            return is_bag_folder(path)
        with path.open("rb") as file:
            return is_bag(file.read(_HEAD_BYTES))
    except (OSError, ValueError):
        return False


def is_bag_folder(path: Path) -> bool:
    """Return whether a folder holds a bag of ROS 2."""
    return path.is_dir() and ((path / METADATA).is_file() or any(any(path.glob(pattern)) for pattern in _PATTERNS))


def named_file(path: Path) -> Path:
    """Return the file that identifies a bag: a file itself; for a folder, its metadata or else its first file."""
    if not path.is_dir():
        return path
    files = sorted(file for pattern in _PATTERNS for file in path.glob(pattern))
    return path / METADATA if (path / METADATA).is_file() or not files else files[0]


def open_bag(path: Path) -> BagParts:
    """Return the bag at the path of a file, of a folder of ROS 2, or of the metadata in it. Only its index is read.

    Parameters
    ----------
    path
        Path of the file or folder.

    Raises
    ------
    BagError
        When it is not a bag, or nothing of it can be read. The message names the file.
    MissingPackageError
        When the package that reads or unpacks it is not installed.
    """
    if path.is_file() and path.suffix in (".yaml", ".yml"):
        path = path.parent
    scratch = _Scratch()
    try:
        if path.is_dir():
            return _open_folder(path, scratch)
        return BagParts((_open_file(path, scratch),), unpacked=scratch.folder)
    except BaseException:
        scratch.remove()
        raise


def _open_folder(path: Path, scratch: _Scratch) -> BagParts:
    metadata = _metadata(path)
    named = [path / str(name) for name in metadata.get("relative_file_paths", ())]
    files = [file for file in named if _is_within(file, path) and file.is_file()]
    damages = [f"{file.name}, which the metadata name, is missing" for file in named if file not in files]
    if not files:
        files = sorted(file for pattern in _PATTERNS for file in path.glob(pattern) if file.is_file())
    if not files:
        raise BagError(f"{path.name} is no bag: it has no files in MCAP or SQLite.")
    has_packed_messages = str(metadata.get("compression_mode", "")).lower() == "message"
    parts: list[Bag] = []
    for file in files:
        target = file
        try:
            if _is_packed(file):
                target = scratch.file(file.stem)
                from framescope.features.bags.core.compression import unpack_file

                unpack_file(file, target)
            parts.append(_open_file(target, scratch, has_packed_messages=has_packed_messages))
        except (BagError, OSError) as error:
            damages.append(str(error))
    bag = BagParts(tuple(parts), damages, scratch.folder)
    if not parts:
        raise BagError("; ".join(damages))
    return bag


class _Scratch:
    """Temporary folder, created on the first request for a file."""

    def __init__(self) -> None:
        self.folder: Path | None = None

    def file(self, name: str) -> Path:
        """Return the path for a file in the folder, creating the folder first if necessary."""
        if self.folder is None:
            self.folder = Path(tempfile.mkdtemp(prefix="framescope-bag-"))
        return self.folder / name

    def remove(self) -> None:
        """Remove the folder and its contents."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def _open_file(path: Path, scratch: _Scratch, *, has_packed_messages: bool = False) -> Bag:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if head.startswith(ROS1_MAGIC[:7]):
            from framescope.features.bags.core.ros1_file import open_ros1

            return open_ros1(path)
        if head.startswith(MCAP_MAGIC[:6]):
            from framescope.features.bags.core.compression import require_extra
            from framescope.features.bags.core.mcap_file import open_mcap

            require_extra(MCAP)
            return open_mcap(path, has_packed_messages=has_packed_messages)
        if head.startswith(SQLITE_MAGIC):
            return _open_database(path, scratch, has_packed_messages=has_packed_messages)
    except OSError as error:
        raise BagError(f"{path.name} cannot be read ({error.strerror or error}).") from None
    reason = "is no bag of ROS 1, no MCAP file, and no SQLite bag of ROS 2" if head else "is empty"
    raise BagError(f"{path.name} {reason}.")


def _open_database(path: Path, scratch: _Scratch, *, has_packed_messages: bool) -> Bag:
    """Open a bag in SQLite; an interrupted recording is repaired in a copy as far as possible."""
    from framescope.features.bags.core.sqlite_file import open_sqlite, take_log, whole_pages

    size = whole_pages(path)
    log = path.with_name(f"{path.name}-wal")  # writes that had not reached the database when the recording ended
    is_cut, has_log = size != path.stat().st_size, log.is_file() and log.stat().st_size > 0
    if not is_cut and not has_log:
        return open_sqlite(path, has_packed_messages=has_packed_messages)
    whole = scratch.file(f"whole-{path.name}")
    shutil.copyfile(path, whole)
    if has_log:
        shutil.copyfile(log, whole.with_name(f"{whole.name}-wal"))
        take_log(whole)
    else:
        os.truncate(whole, size)
    bag = open_sqlite(whole, has_packed_messages=has_packed_messages)
    if not has_log:
        bag.damages.append(f"{path.name} ends within a page, as if the recording was interrupted")
    return bag


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == _ZSTD_MAGIC


def _is_within(file: Path, folder: Path) -> bool:
    return file.resolve().is_relative_to(folder.resolve())


def _metadata(folder: Path) -> dict[str, Any]:
    """Return the metadata of a bag folder; an empty mapping if they are missing or damaged."""
    try:
        text = (folder / METADATA).read_bytes()
        document: Any = yaml.safe_load(text) if len(text) <= _MAX_METADATA else None
        content: Any = document[METADATA_KEY]
    except (OSError, yaml.YAMLError, TypeError, KeyError, ValueError, RecursionError):
        return {}
    is_good = isinstance(content, dict) and isinstance(
        cast("dict[str, Any]", content).get("relative_file_paths", []), list
    )
    return cast("dict[str, Any]", content) if is_good else {}
