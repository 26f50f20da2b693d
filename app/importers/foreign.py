"""Foreign files: known kinds of files without an importer, and advice for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from framescope.core.errors import FramescopeError


@dataclass(frozen=True)
class ForeignKind:
    """A known kind of file that is not read: its name, a description, and advice.

    `is_weak` is whether an importer that recognizes such a file takes precedence.
    """

    name: str
    what: str
    do: str
    recognizes: Callable[[bytes], bool]
    is_weak: bool = False


class ForeignFileError(FramescopeError):
    """A file of a known kind is not read; the message names the kind and gives advice."""

    def __init__(self, file: str, kind: ForeignKind) -> None:
        super().__init__(f"{file} is {kind.what}. {kind.do}")
        self.kind = kind


class NoSceneError(ForeignFileError):
    """A file named as a scene is none; the message names its kind."""


def foreign_kind(head: bytes, *, is_weak: bool | None = None) -> ForeignKind | None:
    """Return the kind of a file without an importer, recognized by its first bytes; None for others.

    `is_weak` restricts the kinds to weak ones, or to others.
    >>> kind = foreign_kind(b"GIF89a")
    >>> kind.name, kind.what
    ('image', 'a picture in GIF')
    """
    kinds = (kind for kind in KINDS if is_weak is None or kind.is_weak is is_weak)
    return next((kind for kind in kinds if kind.recognizes(head)), None)


def _starts_with(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(marks)


def begins_with_element(*names: str) -> Callable[[bytes], bool]:
    """Return a function that recognizes XML files by their first element, after comments and declarations."""
    # Atomic groups: a comment ends at its first `-->`, without backtracking into it.
    before = rb"\A(?:\xef\xbb\xbf)?(?:<\?xml[^>]*>|<!--(?>.*?-->)|<!DOCTYPE[^>]*>|\s)*+<(?:"
    pattern = before + "|".join(names).encode() + rb")[\s>]"
    return lambda head: re.search(pattern, head, re.DOTALL) is not None  # `re` compiles and caches it on first use


def _contains(pattern: str) -> Callable[[bytes], bool]:
    encoded = pattern.encode()
    return lambda head: b"\0" not in head and re.search(encoded, head, re.MULTILINE) is not None


def _in_zip(*names: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(b"PK\x03\x04") and any(name in head for name in names)


_AS_IMAGE = "It holds no poses; the table that a plot in it was made from can be imported."
_AS_TABLE = "Save the sheet with the recording as CSV and import that."
_EXPORT = "Export what it records as CSV and import that."
_CALIBRATION = (
    "Enter its transforms as fixed frames of a scene, with the parent and the child that its documentation names."
)

KINDS: tuple[ForeignKind, ...] = (
    ForeignKind(
        "robot",
        "a part of a model of MuJoCo",
        "Open the file that includes it.",
        begins_with_element("mujocoinclude"),
    ),
    ForeignKind(
        "track",
        "a GPX track",
        "Convert its track to a CSV of time, x, y, z in metres and import that.",
        begins_with_element("gpx"),
    ),
    ForeignKind(
        "track",
        "a KML file",
        "Convert its track to a CSV of time, x, y, z in metres and import that.",
        begins_with_element("kml"),
    ),
    ForeignKind(
        "launch",
        "a launch file of ROS without a static_transform_publisher: it has no poses",
        "Open the one that starts the publishers.",
        _contains(r"\bdef generate_launch_description\b|^\s*<launch\b"),
        is_weak=True,
    ),
    ForeignKind("drawing", "a drawing in SVG", _AS_IMAGE, begins_with_element("svg")),
    ForeignKind(
        "page",
        "a page in HTML",
        "Save the data that it shows as CSV and import that.",
        begins_with_element("html", "!DOCTYPE html", "!doctype html"),
    ),
    ForeignKind(
        "XML",
        "a file in XML",
        "Save the recording in it as CSV and import that.",
        _starts_with(b"<?xml", b"\xef\xbb\xbf<?xml"),
        is_weak=True,
    ),
    ForeignKind(
        "calibration",
        "a calibration",
        _CALIBRATION,
        _contains(
            r"^%YAML:1\.0|!!opencv-matrix|^\s*[\"\']?(camera_matrix|distortion_coefficients|distortion_coeffs|T_cam_imu|T_imu_cam|T_cn_cnm1|T_BS|camera_model|rectification_matrix|intrinsics)[\"\']?\s*:"
        ),
        is_weak=True,
    ),
    ForeignKind(
        "calibration",
        "a calibration of KITTI",
        _CALIBRATION,
        _contains(r"^(P0|P_rect_00|Tr_velo_to_cam|calib_time|R_rect_00):"),
        is_weak=True,
    ),
    ForeignKind(
        "log",
        "a flight log of PX4 (ULog)",
        "Convert it with `ulog2csv` and import vehicle_attitude or vehicle_local_position.",
        _starts_with(b"ULog\x01\x12\x35"),
    ),
    ForeignKind(
        "log",
        "a flight log of ArduPilot",
        "Convert it with `mavlogdump.py --format csv --types ATT` and import that.",
        _starts_with(b"\xa3\x95\x80"),
    ),
    ForeignKind(
        "log",
        "a log of NMEA sentences of a GNSS receiver",
        "Convert it to a CSV of time, x, y, z in metres and import that.",
        _contains(r"\A\$(GP|GN|GL|GA)[A-Z]{3},"),
    ),
    ForeignKind(
        "log",
        "a log of messages",
        "It holds text and no table; export what it records as CSV and import that.",
        _contains(r"\A(\d{4}-\d{2}-\d{2}[ T])?(\S+ +)?\[?\s?(INFO|DEBUG|WARN|WARNING|ERROR|FATAL)\b"),
        is_weak=True,
    ),
    ForeignKind("image", "a picture in PNG", _AS_IMAGE, _starts_with(b"\x89PNG")),
    ForeignKind("image", "a picture in JPEG", _AS_IMAGE, _starts_with(b"\xff\xd8\xff")),
    ForeignKind("image", "a picture in GIF", _AS_IMAGE, _starts_with(b"GIF8")),
    ForeignKind("image", "a picture in TIFF", _AS_IMAGE, _starts_with(b"II*\0", b"MM\0*")),
    ForeignKind(
        "image", "a picture in BMP", _AS_IMAGE, lambda head: head.startswith(b"BM") and head[6:10] == b"\0\0\0\0"
    ),
    ForeignKind(
        "image", "a picture in WebP", _AS_IMAGE, lambda head: head.startswith(b"RIFF") and head[8:12] == b"WEBP"
    ),
    ForeignKind(
        "film",
        "a film",
        "It holds no poses; track what it shows elsewhere and import the poses.",
        lambda head: (
            head[4:8] == b"ftyp"
            or head.startswith((b"\x1a\x45\xdf\xa3",))
            or (head.startswith(b"RIFF") and head[8:11] == b"AVI")
        ),
    ),
    ForeignKind(
        "document", "a document in PDF", "Save the table in it as CSV and import that.", _starts_with(b"%PDF-")
    ),
    ForeignKind(
        "spreadsheet", "a workbook of Excel", _AS_TABLE, _in_zip(b"xl/workbook", b"[Content_Types].xml", b"xl/")
    ),
    ForeignKind(
        "spreadsheet", "a spreadsheet in OpenDocument", _AS_TABLE, _in_zip(b"application/vnd.oasis.opendocument")
    ),
    ForeignKind("spreadsheet", "a workbook of an old Excel", _AS_TABLE, _starts_with(b"\xd0\xcf\x11\xe0")),
    ForeignKind("data", "a file in HDF5, such as MATLAB's v7.3", _EXPORT, _starts_with(b"\x89HDF\r\n\x1a\n")),
    ForeignKind(
        "data",
        "a file of MATLAB",
        "In MATLAB, `writematrix` saves the recording as CSV: import that.",
        _starts_with(b"MATLAB 5.0 MAT-file", b"MATLAB 7."),
    ),
    ForeignKind(
        "data",
        "one array of numpy",
        "Save it with names: numpy.savez(path, t=t, p=p, q=q), and import that.",
        _starts_with(b"\x93NUMPY"),
    ),
    ForeignKind(
        "data",
        "a Python pickle",
        "It is not opened, as that could run a program. Save it with numpy.savez, or as CSV.",
        _starts_with(b"\x80\x03", b"\x80\x04\x95", b"\x80\x05\x95"),
    ),
    ForeignKind(
        "motion capture",
        "a recording in C3D",
        "Export rigid bodies as CSV from the program that recorded it, and import that.",
        lambda head: head[1:2] == b"\x50" and head[0:1] in (b"\x02", b"\x03", b"\x04", b"\x05") and b"POINT" in head,
    ),
    ForeignKind(
        "motion capture",
        "a motion in BVH",
        "Export one joint as CSV of time, position and rotation, and import that.",
        _contains(r"\AHIERARCHY\b"),
    ),
    ForeignKind(
        "motion capture",
        "markers in TRC",
        "Compute the pose of the body from its markers, and import that as CSV.",
        _contains(r"\APathFileType\t"),
    ),
    ForeignKind(
        "point cloud",
        "a point cloud in PCD",
        "Save it as PLY and import that as a mesh.",
        _contains(r"\A# \.PCD|^VERSION \.?0?\.7\nFIELDS"),
    ),
    ForeignKind("archive", "packed with gzip", "Unpack it and import what is in it.", _starts_with(b"\x1f\x8b")),
    ForeignKind(
        "archive",
        "packed with bzip2, xz, zstd, 7-Zip or RAR",
        "Unpack it and import what is in it.",
        _starts_with(b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!"),
    ),
    ForeignKind(
        "archive", "an archive in tar", "Unpack it and import what is in it.", lambda head: head[257:262] == b"ustar"
    ),
)
"""Known kinds, in the order in which they are tried."""
