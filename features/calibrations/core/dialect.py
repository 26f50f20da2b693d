"""Dialect: a kind of calibration file, with its reader, writer, and the direction of its numbers in words."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES
from framescope.features.calibrations.core.calibration import Calibration, Edge


def nothing_beside(_name: str) -> bytes | None:
    """Return no file: the source has none beside it."""
    return None


_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks with which texts begin, and their encodings."""


def mark_and_encoding(data: bytes) -> tuple[bytes, str]:
    r"""Return the byte order mark with which a text begins, and its encoding; without a mark UTF-8.

    >>> mark_and_encoding(b"\xff\xfec\0a\0m\0"), mark_and_encoding(b"cam0:")
    ((b'\xff\xfe', 'utf-16-le'), (b'', 'utf-8'))
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark) and not (len(mark) == 2 and data[2:4] == b"\0\0"):  # else a count of COLMAP
            return mark, encoding
    return b"", "utf-8"


def decoded(data: bytes, errors: str = "replace") -> str:
    """Return the text of a file without its byte order mark."""
    mark, encoding = mark_and_encoding(data)
    return data[len(mark) :].decode(encoding, errors)


@dataclass(frozen=True, eq=False)
class Source:
    """File of a calibration.

    Attributes
    ----------
    name
        Name of the file, such as ``"camchain.yaml"``.
    data
        Its content.
    folder
        Name of its folder, such as ``"cam0"``; may be empty.
    beside
        Returns the content of a file in the same folder by its name; None if there is none or it cannot be read.
    """

    name: str
    data: bytes
    folder: str = ""
    beside: Callable[[str], bytes | None] = nothing_beside

    @property
    def text(self) -> str:
        """Content as text without a byte order mark; bytes that are no UTF-8 or UTF-16 are replaced."""
        return decoded(self.data).replace("\r\n", "\n").replace("\r", "\n")

    @property
    def stem(self) -> str:
        """Name without its suffix."""
        return self.name.rpartition(".")[0] or self.name


@dataclass(frozen=True)
class Dialect:
    """Kind of calibration file.

    Attributes
    ----------
    name
        Name in commands, such as ``"kalibr"``.
    title
        Name of such files in the plural, such as ``"camera chains of Kalibr"``.
    suffixes
        Usual suffixes of files, the most usual first.
    recognizes
        Returns whether the first bytes of a file, or all of it, are of the dialect. The first 64 KB of a long file, all
        of a YAML, JSON or XML file.
    read
        Returns the content of a file. It raises a `CalibrationError` or another `FramescopeError`.
    directions
        Direction of each kind of entry in words, such as ``("T_cam_imu", "takes points of the IMU to the camera")``.
    example
        Text of a small file, whose numbers the manual shows.
    write
        Returns the text of a calibration in the dialect, with directions as comments. It raises a `CalibrationError`
        that names what the dialect cannot hold. None if the dialect is only read.
    write_beside
        Returns the further files of a calibration by their names, such as the cameras of COLMAP beside its images. None
        if one file holds all.
    max_bytes
        Largest size of a file that is read, bytes.
    patch
        Returns the text of a file with the numbers of some edges replaced, by their entries, and all else kept. None if
        the dialect is only written whole.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    read: Callable[[Source], Calibration]
    directions: tuple[tuple[str, str], ...]
    example: str = ""
    write: Callable[[Calibration], str] | None = None
    patch: Callable[[str, tuple[Edge, ...]], str] | None = None
    write_beside: Callable[[Calibration], Mapping[str, bytes]] | None = None
    max_bytes: int = MAX_FILE_BYTES
