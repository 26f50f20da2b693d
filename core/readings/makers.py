"""Conventions of makers and libraries: one table, each row with its source and a number to check it by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.readings.bare_numbers import FAR, UNIT_LABELS, number_blocks, possible_units
from framescope.core.readings.numerals import NUMBER, Numeral, read_numeral, scaled
from framescope.core.readings.reading import (
    Reading,
    ReadingError,
    TextReadings,
    change_axes,
    invert,
    join_readings,
    read_orientation,
)

_UNITY: tuple[tuple[float, ...], ...] = ((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
"""Map from Unity's axes (x right, y up, z forward) to x forward, y left, z up."""

_BETWEEN = r"[\"']?\s*[:=]?\s*[\"'\[(]?\s*"


@dataclass(frozen=True)
class Maker:
    """Convention of one maker or library.

    Parameters
    ----------
    name
        Maker or library, and what is written.
    words
        Pattern of words by which a text with plain numbers is recognised; empty if only `keys` or `shape` do.
    form
        Form of `framescope.core.conventions.notation`, or ``"matrix active"``.
    source
        Title of the document that states the convention.
    example
        Text to check the row by.
    expected
        Quaternion of the example, scalar last: frame in parent.
    unit
        Unit of angles; empty if the text must state it.
    length
        Unit of positions, ``"m"``, ``"mm"`` or ``"cm"``.
    keys
        Names of the numbers of the orientation, in the order of the form.
    position_keys
        Names of the coordinates.
    shape
        Pattern that recognises a text by its punctuation or by a field's name, with the numbers behind it.
    signs
        Signs of the numbers, for left-handed axes.
    position_signs
        Signs of the coordinates.
    handedness
        ``"right"`` or ``"left"``.
    axes
        Map from the maker's axes to those of the reading, row by row; empty for none.
    is_by_columns
        Whether matrices are stored column by column.
    is_inverse
        Whether the numbers take the parent into the frame.
    orientation_first
        Whether the orientation precedes the position in plain numbers.
    assumed
        What the reading assumes.
    also
        Names of other rows that the same text may follow.
    """

    name: str
    form: str
    source: str
    example: str
    expected: tuple[float, float, float, float]
    words: str = ""
    unit: str = ""
    length: str = "m"
    keys: tuple[str, ...] = ()
    position_keys: tuple[str, ...] = ("X", "Y", "Z")
    shape: str = ""
    signs: tuple[float, ...] = ()
    position_signs: tuple[float, float, float] = (1.0, 1.0, 1.0)
    handedness: str = "right"
    axes: tuple[tuple[float, ...], ...] = ()
    is_by_columns: bool = False
    is_inverse: bool = False
    orientation_first: bool = False
    assumed: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


_HALF = 0.7071067811865476
_MATRIX_Z = "0 -1 0 0.1 1 0 0 0.2 0 0 1 0.3 0 0 0 1"

MAKERS: tuple[Maker, ...] = (
    Maker(
        "KUKA: A, B, C",
        "axes ZYX",
        "KUKA System Software 8.3, operating and programming instructions, coordinate systems",
        "{X 100, Y 0, Z 50, A 90, B 0, C 0}",
        (0, 0, _HALF, _HALF),
        r"\bKUKA\b|\bKRL\b|\bKRC\d?\b",
        "deg",
        "mm",
        keys=("A", "B", "C"),
        assumed=("A about z, B about the new y, C about the new x",),
    ),
    Maker(
        "Fanuc: W, P, R",
        "extrinsic xyz",
        "Fanuc R-30iB operator's manual, Cartesian coordinates of position data",
        "X: 100 Y: 0 Z: 50 W: 90 P: 0 R: 0",
        (_HALF, 0, 0, _HALF),
        r"\bFANUC\b",
        "deg",
        "mm",
        keys=("W", "P", "R"),
        assumed=("W, P, R about fixed x, y, z",),
    ),
    Maker(
        "Kawasaki: O, A, T",
        "axes ZYZ",
        "Kawasaki AS language reference manual, transformation values",
        "X 100 Y 0 Z 50 O 0 A 90 T 0",
        (0, _HALF, 0, _HALF),
        r"\bKawasaki\b",
        "deg",
        "mm",
        keys=("O", "A", "T"),
        assumed=("O, A, T about moving z, y, z",),
    ),
    Maker(
        "Stäubli: rx, ry, rz",
        "axes XYZ",
        "Stäubli VAL 3 reference manual, type trsf",
        "Staubli {100, 0, 50, 90, 0, 0}",
        (_HALF, 0, 0, _HALF),
        r"\bSt(?:ä|a|ae)ubli\b|\bVAL ?3\b",
        "deg",
        "mm",
        assumed=("rotations about moving x, y, z",),
    ),
    Maker(
        "Yaskawa: Rx, Ry, Rz",
        "extrinsic xyz",
        "Yaskawa DX200 instructions, position data of base coordinates",
        "Motoman 100 0 50 0 0 90",
        (0, 0, _HALF, _HALF),
        r"\bYaskawa\b|\bMotoman\b",
        "deg",
        "mm",
        assumed=("rotations about fixed x, y, z",),
    ),
    Maker(
        "ABB: robtarget",
        "quaternion wxyz",
        "ABB RAPID instructions, functions and data types: orient, pose, robtarget",
        "[[100,0,50],[0.70710678,0,0,0.70710678],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]",
        (0, 0, _HALF, _HALF),
        r"\bABB\b|\brobtarget\b|\bRAPID\b|\bPERS\b|\bCONST wobj",
        "",
        "mm",
        shape=rf"\[\s*\[(\s*(?:{NUMBER}\s*,\s*){{2}}{NUMBER}\s*)\]\s*,\s*\[(\s*(?:{NUMBER}\s*,\s*){{3}}{NUMBER}\s*)\]",
        assumed=("position in millimetres", "scalar first"),
    ),
    Maker(
        "UR: pose of URScript",
        "rotation-vector",
        "Universal Robots, URScript manual: poses p[x,y,z,ax,ay,az]",
        "p[0.1, 0, 0.05, 0, 0, 1.5707963]",
        (0, 0, _HALF, _HALF),
        r"\bURScript\b|\bactual_TCP_pose\b|\bget_actual_tcp_pose\b|\bUR(?:3|5|10|16|20|30)e?\b(?!.*\bRPY\b)",
        "rad",
        shape=rf"\bp\[(\s*(?:{NUMBER}\s*,\s*){{3}})((?:{NUMBER}\s*,\s*){{2}}{NUMBER}\s*)\]",
        assumed=("rotation vector in radians",),
    ),
    Maker(
        "UR: RPY of the pendant",
        "extrinsic xyz",
        "Universal Robots, explanation of robot orientation: RPY",
        "UR pendant RPY 0 0 90 deg",
        (0, 0, _HALF, _HALF),
        r"\bUR\d*e?\b.*\bRPY\b|\bpendant\b.*\bRPY\b",
        "ask",
        assumed=("RX, RY, RZ about fixed x, y, z",),
    ),
    Maker(
        "Kinova: theta_x, theta_y, theta_z",
        "extrinsic xyz",
        "Kinova Gen3 user guide, orientation of the tool",
        "x: 0.1 y: 0 z: 0.5 theta_x: 0 theta_y: 0 theta_z: 90",
        (0, 0, _HALF, _HALF),
        r"\bKinova\b",
        "deg",
        keys=("theta_x", "theta_y", "theta_z"),
        position_keys=("x", "y", "z"),
        assumed=("about fixed x, then y, then z",),
    ),
    Maker(
        "Franka: O_T_EE",
        "matrix active",
        "libfranka, RobotState: 4x4 matrices in column-major format",
        "O_T_EE: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.1, 0.2, 0.3, 1]",
        (0, 0, _HALF, _HALF),
        shape=r"\b(?:O_T_EE|O_T_EE_[dc]|F_T_EE|F_T_NE|NE_T_EE|EE_T_K)\b",
        is_by_columns=True,
    ),
    Maker(
        "three.js: elements",
        "matrix active",
        "three.js documentation, Matrix4: elements in column-major order",
        '{"elements": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.1, 0.2, 0.3, 1]}',
        (0, 0, _HALF, _HALF),
        shape=r"\belements\b",
        is_by_columns=True,
    ),
    Maker(
        "three.js: Euler",
        "euler",
        "three.js documentation, Euler: intrinsic rotations in the stated order",
        "Euler { isEuler: true, _x: 0, _y: 0, _z: 1.5707963, _order: 'XYZ' }",
        (0, 0, _HALF, _HALF),
        shape=r"_?order\W{1,4}([A-Z]{3})\b",
        unit="rad",
    ),
    Maker(
        "glTF: rotation",
        "quaternion xyzw",
        "glTF 2.0 specification, 3.5 transformations: unit quaternion (x, y, z, w)",
        '{"rotation": [0, 0, 0.70710678, 0.70710678], "translation": [0.1, 0.2, 0.3]}',
        (0, 0, _HALF, _HALF),
        shape=r"\"rotation\"\s*:\s*\[",
        assumed=("axes of glTF: y up",),
    ),
    Maker(
        "Blender: rotation_quaternion",
        "quaternion wxyz",
        "Blender Python API, mathutils.Quaternion: (w, x, y, z)",
        "rotation_quaternion = (0.70710678, 0, 0, 0.70710678)",
        (0, 0, _HALF, _HALF),
        r"\brotation_quaternion\b",
    ),
    Maker(
        "Unity: Quaternion.Euler",
        "extrinsic zxy",
        "Unity scripting API, Quaternion.Euler: z, then x, then y",
        "Unity Quaternion.Euler(0, -90, 0)",
        (0, 0, _HALF, _HALF),
        unit="deg",
        handedness="left",
        axes=_UNITY,
        shape=r"\bQuaternion\.Euler\b|\beulerAngles\b",
        assumed=("axes turned from Unity's to x forward, y left, z up",),
    ),
    Maker(
        "Unity: quaternion",
        "quaternion xyzw",
        "Unity scripting API, Quaternion: x, y, z, w; axes x right, y up, z forward",
        "Unity 0 -0.70710678 0 0.70710678",
        (0, 0, _HALF, _HALF),
        r"\bUnity\b",
        handedness="left",
        axes=_UNITY,
        assumed=("axes turned from Unity's to x forward, y left, z up",),
    ),
    Maker(
        "Unreal: FRotator",
        "axes ZYX",
        "Unreal Engine API reference, FRotator: degrees; axes x forward, y right, z up",
        "P=0.0 Y=-90.0 R=0.0",
        (0, 0, _HALF, _HALF),
        r"\bFRotator\b",
        "deg",
        "cm",
        shape=rf"\bP(?:itch)?=({NUMBER})[,\s]+Y(?:aw)?=({NUMBER})[,\s]+R(?:oll)?=({NUMBER})|\bFRotator\s*\(",
        handedness="left",
        position_signs=(1.0, -1.0, 1.0),
        assumed=("left-handed axes mirrored to x forward, y left, z up",),
    ),
    Maker(
        "CARLA: Transform",
        "axes ZYX",
        "CARLA documentation, Python API: Rotation in degrees, Unreal's axes",
        "Transform(Location(x=1, y=2, z=3), Rotation(pitch=0, yaw=-90, roll=0))",
        (0, 0, _HALF, _HALF),
        unit="deg",
        keys=("yaw", "pitch", "roll"),
        position_keys=("x", "y", "z"),
        shape=r"\bRotation\s*\(\s*(?:pitch|yaw|roll)\s*=|\bcarla\b",
        signs=(-1.0, -1.0, 1.0),
        position_signs=(1.0, -1.0, 1.0),
        handedness="left",
        assumed=("left-handed axes mirrored to x forward, y left, z up",),
    ),
    Maker(
        "PX4: vehicle_attitude",
        "quaternion wxyz",
        "PX4 user guide, VehicleAttitude: q from FRD body frame to NED earth frame",
        "vehicle_attitude q: [0.70710678, 0, 0, 0.70710678]",
        (0, 0, _HALF, _HALF),
        r"\bvehicle_attitude\b|\bPX4\b",
        assumed=("parent NED, frame FRD",),
    ),
    Maker(
        "ArduPilot: ATTITUDE",
        "axes ZYX",
        "MAVLink common message set, ATTITUDE: roll, pitch, yaw in radians",
        "ATTITUDE {roll : 0.0, pitch : 0.0, yaw : 1.5707963}",
        (0, 0, _HALF, _HALF),
        unit="rad",
        keys=("yaw", "pitch", "roll"),
        position_keys=(),
        shape=r"\bATTITUDE\b",
        assumed=("parent NED, frame FRD",),
    ),
    Maker(
        "Android: getQuaternionFromVector",
        "quaternion wxyz",
        "Android API reference, SensorManager.getQuaternionFromVector",
        "getQuaternionFromVector 0.70710678 0 0 0.70710678",
        (0, 0, _HALF, _HALF),
        r"\bgetQuaternionFromVector\b",
        assumed=("parent east, north, up",),
    ),
    Maker(
        "Android: rotation vector sensor",
        "quaternion xyzw",
        "Android API reference, SensorEvent.values: TYPE_ROTATION_VECTOR",
        "TYPE_ROTATION_VECTOR 0 0 0.70710678 0.70710678",
        (0, 0, _HALF, _HALF),
        r"\b(?:TYPE_)?(?:GAME_)?ROTATION_VECTOR\b",
        assumed=("parent east, north, up",),
    ),
    Maker(
        "OpenCV: rvec, tvec",
        "rotation-vector",
        "OpenCV, calib3d: solvePnP and Rodrigues; object into camera",
        "rvec = [[0.0], [0.0], [1.5707963]] tvec = [[0.1], [0.2], [0.3]]",
        (0, 0, _HALF, _HALF),
        unit="rad",
        shape=r"\brvecs?\b",
        assumed=("the object in the camera",),
    ),
    Maker(
        "COLMAP: images.txt",
        "quaternion wxyz",
        "COLMAP documentation, output format: images.txt, world into camera",
        "1 0.70710678 0 0 -0.70710678 0.1 0.2 0.3 1 a.png",
        (0, 0, _HALF, _HALF),
        is_inverse=True,
        orientation_first=True,
        shape=rf"(?m)^\s*\d+((?:\s+{NUMBER}){{4}})((?:\s+{NUMBER}){{3}})\s+\d+\s+\S+\.\w+\s*$",
        assumed=("inverted: the camera in the world", "camera axes x right, y down, z forward"),
    ),
    Maker(
        "nerfstudio: transform_matrix",
        "matrix active",
        "nerfstudio documentation, data conventions: camera to world, OpenGL axes",
        '"transform_matrix": [[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, 0.3], [0, 0, 0, 1]]',
        (0, 0, _HALF, _HALF),
        shape=r"\btransform_matrix\b",
        assumed=("the camera in the world", "camera axes x right, y up, z backward"),
    ),
    Maker(
        "EuRoC: T_BS",
        "matrix active",
        "EuRoC MAV dataset, sensor.yaml: sensor extrinsics with respect to the body frame",
        f"T_BS: cols: 4 rows: 4 data: [{_MATRIX_Z}]",
        (0, 0, _HALF, _HALF),
        shape=r"\bT_BS\b",
        assumed=("the sensor in the body",),
    ),
    Maker(
        "Kalibr: T_cam_imu, T_cn_cnm1",
        "matrix active",
        "Kalibr wiki, YAML formats: T_cam_imu takes IMU to camera coordinates",
        f"T_cam_imu: [{_MATRIX_Z}]",
        (0, 0, _HALF, _HALF),
        shape=r"\bT_(?:cam_imu|cn_cnm1)\b",
        assumed=("the IMU, or the camera before, in the camera",),
    ),
    Maker(
        "ORB-SLAM3: Tbc",
        "matrix active",
        "ORB-SLAM3 calibration tutorial: Tbc, camera in body",
        f"Tbc: !!opencv-matrix rows: 4 cols: 4 dt: f data: [{_MATRIX_Z}]",
        (0, 0, _HALF, _HALF),
        shape=r"\b(?:IMU\.)?T_?bc1?\b",
        assumed=("the camera in the body",),
    ),
    Maker(
        "JPL quaternion, parent into frame",
        "quaternion xyzw",
        "Trawny and Roumeliotis, Indirect Kalman filter for 3D attitude estimation, 2005",
        "JPL 0 0 0.70710678 0.70710678",
        (0, 0, _HALF, _HALF),
        r"\bJPL\b",
        assumed=("the quaternion takes the parent into the frame, as in MSCKF and OpenVINS",),
        also=("JPL quaternion, frame into parent",),
    ),
    Maker(
        "JPL quaternion, frame into parent",
        "quaternion xyzw",
        "Trawny and Roumeliotis, Indirect Kalman filter for 3D attitude estimation, 2005",
        "",
        (0, 0, -_HALF, _HALF),
        is_inverse=True,
        assumed=("the quaternion takes the frame into the parent",),
    ),
    Maker(
        "Photogrammetry: omega, phi, kappa",
        "axes XYZ",
        "Kraus, Photogrammetry, volume 1: rotation matrix of omega, phi, kappa",
        "omega 0 phi 0 kappa 90 deg",
        (0, 0, _HALF, _HALF),
        r"\bomega\b.*\bphi\b.*\bkappa\b|\bopk\b",
        "ask",
        keys=("omega", "phi", "kappa"),
        position_keys=(),
        assumed=("the camera in object space, camera axes x right, y up, z backward",),
    ),
    Maker(
        "OptiTrack: rigid body",
        "quaternion xyzw",
        "OptiTrack NatNet SDK documentation: qx, qy, qz, qw; metres, y up",
        "OptiTrack 0.1 0.2 0.3 0 0.70710678 0 0.70710678",
        (0, _HALF, 0, _HALF),
        r"\bOptiTrack\b|\bNatNet\b|\bMotive\b",
        assumed=("y up",),
    ),
    Maker(
        "PyTorch3D: R, T",
        "matrix active",
        "PyTorch3D documentation, cameras: row vectors, world to view, x left, y up, z forward",
        "PyTorch3D R = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] T = [0, 0, 0]",
        (0, 0, _HALF, _HALF),
        r"\bpytorch3d\b",
        assumed=("the camera in the world", "camera axes x left, y up, z forward"),
    ),
)
"""Table of conventions."""

_ROWS = {maker.name: maker for maker in MAKERS}


def read_makers(text: str) -> TextReadings | None:
    """Return the readings of a text that a row of the table recognises; None for other texts.

    Examples
    --------
    >>> read_makers("{X 100, Y 0, Z 50, A 90, B 0, C 0}").settled.form
    'axes ZYX'
    """
    for maker in MAKERS:
        reading = _read(maker, text)
        if reading is None:
            continue
        if isinstance(reading, TextReadings):
            return reading
        if not maker.also:
            return TextReadings((reading,))
        others = [_read_as(_ROWS[name], text, maker.words) for name in maker.also]
        readings = [reading, *(other for other in others if other is not None)]
        named = tuple(replace(each, choice=each.assumed[0]) for each in readings)
        return TextReadings(named, "Which way does the maker mean it?")
    return None


def _read(maker: Maker, text: str) -> Reading | TextReadings | None:
    special = _SPECIAL.get(maker.name)
    if special is not None:
        reading = special(maker, text)
        return _finished(maker, reading)
    if maker.keys:
        reading = _by_keys(maker, text)
        if reading is not None and (not maker.shape or re.search(maker.shape, text)):
            return _finished(maker, reading) if isinstance(reading, Reading) else reading
    elif maker.shape:
        reading = _by_shape(maker, text)
        if reading is not None:
            return _finished(maker, reading)
    if maker.words and re.search(maker.words, text, re.IGNORECASE | re.DOTALL):
        plain = _plain_reading(maker, text)
        if isinstance(plain, TextReadings):
            return plain
        return _finished(maker, plain)
    return None


def _read_as(maker: Maker, text: str, words: str) -> Reading | None:
    """Return the reading of plain numbers by a row that shares the words of another."""
    plain = _plain_reading(maker, re.sub(words, " ", text, flags=re.IGNORECASE))
    return _finished(maker, plain) if isinstance(plain, Reading) else None


def _finished(maker: Maker, reading: Reading | None) -> Reading | None:
    """Return the reading in right-handed axes, as frame in parent, with the source and the assumptions of the row."""
    if reading is None:
        return None
    if maker.axes:
        reading = change_axes(reading, np.array(maker.axes))
    if maker.is_inverse:
        reading = invert(reading)
    assumed = tuple(dict.fromkeys((*maker.assumed, *reading.assumed)))
    return replace(reading, source=f"{maker.name}", assumed=assumed)


def _lengths(maker: Maker, numbers: Sequence[Numeral]) -> list[Numeral]:
    factor = {"mm": 1e-3, "cm": 1e-2}.get(maker.length, 1.0)
    return [scaled(number, sign * factor) for number, sign in zip(numbers, maker.position_signs, strict=True)]


def _angle_unit(maker: Maker, text: str) -> str:
    if maker.unit != "ask":
        return maker.unit
    if re.search(r"\brad(?:ians?)?\b", text):
        return "rad"
    return "gon" if re.search(r"\bgon\b|\bgrad\b", text) else "deg" if re.search(r"°|\bdeg", text) else "ask"


def _orientation(
    maker: Maker, numbers: Sequence[Numeral], text: str, p: Sequence[Numeral] | None
) -> Reading | TextReadings:
    unit = _angle_unit(maker, text)
    signs = maker.signs or (1.0,) * len(numbers)
    numbers = [scaled(number, sign) for number, sign in zip(numbers, signs, strict=True)]
    metres = None if p is None else _lengths(maker, p)
    if unit == "gon":
        numbers, unit = [scaled(number, 0.9) for number in numbers], "deg"
    if unit != "ask":
        return read_orientation(maker.form, numbers, unit, source=maker.name, p=metres)
    units = possible_units(numbers)
    readings = [
        _finished(maker, read_orientation(maker.form, numbers, each, source=maker.name, p=metres)) for each in units
    ]
    named = tuple(
        replace(reading, choice=UNIT_LABELS[each] if len(units) > 1 else "")
        for reading, each in zip(readings, units, strict=True)
        if reading is not None
    )
    return TextReadings(named, "Unit of the angles?" if len(named) > 1 else "")


def _by_keys(maker: Maker, text: str) -> Reading | TextReadings | None:
    values = _values_of(maker.keys, text)
    if values is None:
        return None
    p = _values_of(maker.position_keys, text) if maker.position_keys else None
    if max(map(len, maker.keys)) == 1 and p is None and not re.search(maker.words, text, re.IGNORECASE):
        return None  # single letters alone are too common
    return _orientation(maker, values, text, p)


def _values_of(keys: Sequence[str], text: str) -> list[Numeral] | None:
    flags = re.NOFLAG if all(len(key) == 1 and key.isupper() for key in keys) else re.IGNORECASE
    numbers: list[Numeral] = []
    for key in keys:
        match = re.search(rf"(?<![A-Za-z_]){key}{_BETWEEN}({NUMBER})", text, flags)
        if match is None:
            return None
        numbers.append(_numeral(match[1]))
    return numbers


def _plain_reading(maker: Maker, text: str) -> Reading | TextReadings | None:
    """Return the reading of the only group of plain numbers in a text."""
    n = {"quaternion": 4, "axis-angle": 4, "matrix": 9}.get(maker.form.split()[0], 3)
    text = re.sub(maker.words, " ", text, flags=re.IGNORECASE) if maker.words and "." not in maker.words else text
    blocks = [block.numbers for block in number_blocks(text) if len(block.numbers) in (n, n + 3)]
    if len(blocks) == 2 and {len(block) for block in blocks} == {3, n} and n != 3:
        p, numbers = sorted(blocks, key=len)
        return _orientation(maker, numbers, text, p)
    if len(blocks) == 2 and n == 3:
        return _orientation(maker, blocks[1], text, blocks[0])
    if len(blocks) != 1:
        return None
    numbers = blocks[0]
    if len(numbers) == n:
        return _orientation(maker, numbers, text, None)
    p, numbers = (numbers[n:], numbers[:n]) if maker.orientation_first else (numbers[:3], numbers[3:])
    return _orientation(maker, numbers, text, p)


def _by_shape(maker: Maker, text: str) -> Reading | None:
    match = re.search(maker.shape, text)
    if match is None:
        return None
    if len(match.groups()) == 2 and match[1]:
        parts = [[_numeral(word) for word in re.split(r"[\s,]+", group.strip()) if word] for group in match.groups()]
        if len(parts[0]) == 3 and not maker.orientation_first:
            p, numbers = parts
        else:
            numbers, p = parts
        is_short = maker.length == "mm" and max(map(abs, p)) < FAR and not re.match(r"\s*,\s*\[", text[match.end() :])
        if is_short and not re.search(maker.words, text, re.IGNORECASE):
            return None
        if maker.form == "quaternion wxyz" and abs(float(np.linalg.norm(numbers)) - 1.0) > 0.1:
            return None
        reading = _orientation(maker, numbers, text, p)
        return reading if isinstance(reading, Reading) else None
    if maker.form == "matrix active":
        matrices = [_bracket_behind(text, each.end()) for each in re.finditer(maker.shape, text)]
        readings = [_matrix(maker, numbers) for numbers in matrices if numbers is not None]
        return join_readings(readings, maker.name) if readings else None
    numbers = _bracket_behind(text, match.end())
    if numbers is None:
        return None
    reading = _orientation(maker, numbers, text, None)
    return reading if isinstance(reading, Reading) else None


def _bracket_behind(text: str, start: int) -> list[Numeral] | None:
    """Return all numbers of the first bracket behind an index, also of a nested one or of rows without a bracket."""
    opening = re.search(r"[\[({]", text[start : start + 300])
    if opening is None:
        lines = text[start : start + 2000]
        run = re.match(rf"[\s:=]*((?:[-\s]*{NUMBER}[\s,]+)*[-\s]*{NUMBER})", lines)
        return None if run is None else [_numeral(word) for word in re.split(r"[\s,]+", run[1].strip()) if word != "-"]
    begin, depth = start + opening.start(), 0
    end = min(len(text), begin + 4000)
    for i in range(begin, end):
        depth += (text[i] in "[({") - (text[i] in "])}")
        if depth == 0 and text[i] in "])}" and not re.match(r"\s*-\s*\[", text[i + 1 : i + 100]):
            end = i + 1
            break
    words = [word for word in re.split(r"[\s,;\[\](){}]+|-(?=\s)", text[begin:end]) if word]
    numbers = [read_numeral(word) for word in words]
    return [number for number in numbers if number is not None] if None not in numbers else None


def _matrix(maker: Maker, numbers: Sequence[Numeral]) -> Reading:
    if len(numbers) not in (9, 12, 16):
        raise ReadingError(
            f"{maker.name.partition(':')[2].strip() or maker.name}: expected 9 or 16 numbers, got {len(numbers)}."
        )
    if maker.is_by_columns:
        n = 3 if len(numbers) == 9 else 4
        numbers = (
            [numbers[n * k + i] for i in range(len(numbers) // n if n == 4 else 3) for k in range(n)]
            if len(numbers) != 12
            else numbers
        )
    if len(numbers) == 9:
        return read_orientation("matrix active", numbers, source=maker.name)
    rotation = [numbers[4 * i + k] for i in range(3) for k in range(3)]
    return read_orientation("matrix active", rotation, source=maker.name, p=[numbers[4 * i + 3] for i in range(3)])


# --- Rows that need more than keys or a shape


def _rvec(maker: Maker, text: str) -> Reading | None:
    match = re.search(r"\brvecs?\b", text)
    if match is None:
        return None
    rvec = _bracket_behind(text, match.end())
    t = re.search(r"\btvecs?\b", text)
    tvec = None if t is None else _bracket_behind(text, t.end())
    if rvec is None or len(rvec) != 3:
        return None
    p = tvec if tvec is not None and len(tvec) == 3 else None
    return read_orientation("rotation-vector", rvec, "rad", source=maker.name, p=p)


def _gltf(maker: Maker, text: str) -> Reading | None:
    match = re.search(r"\"rotation\"\s*:", text)
    numbers = None if match is None else _bracket_behind(text, match.end())
    if numbers is None or len(numbers) != 4:
        return None
    t = re.search(r"\"translation\"\s*:", text)
    p = None if t is None else _bracket_behind(text, t.end())
    return read_orientation("quaternion xyzw", numbers, source=maker.name, p=p if p and len(p) == 3 else None)


def _three_euler(maker: Maker, text: str) -> Reading | None:
    order = re.search(r"_?order\W{1,4}([A-Z]{3})\b", text)
    angles = dict(re.findall(rf"\b_([xyz])[\"']?\W{{1,3}}?\s*({NUMBER})", text))
    if order is None or set(angles) != set("xyz"):
        return None
    numbers = [_numeral(angles[letter]) for letter in order[1].lower() if letter in angles]
    if len(numbers) != 3 or len(set(order[1])) != 3:
        raise ReadingError(f"three.js's Euler: expected an order such as XYZ, got {order[1]}.")
    return read_orientation(f"axes {order[1]}", numbers, "rad", source=maker.name)


def _unity_euler(maker: Maker, text: str) -> Reading | None:
    match = re.search(maker.shape, text)
    numbers = None if match is None else _bracket_behind(text, match.end())
    if numbers is None or len(numbers) != 3:
        return None
    x, y, z = numbers
    return read_orientation("extrinsic zxy", [z, x, y], "deg", source=maker.name)


def _unreal(maker: Maker, text: str) -> Reading | None:
    match = re.search(maker.shape, text)
    if match is None:
        return None
    numbers = [_numeral(group) for group in match.groups() if group] or _bracket_behind(text, match.end() - 1)
    if numbers is None or len(numbers) != 3:
        return None
    pitch, yaw, roll = numbers
    p = _values_of(("X", "Y", "Z"), text.replace(match[0], " ")) if match[1] else None
    metres = None if p is None else _lengths(maker, p)
    return read_orientation("axes ZYX", [-yaw, -pitch, roll], "deg", source=maker.name, p=metres)


def _pytorch3d(maker: Maker, text: str) -> Reading | None:
    if not re.search(maker.words, text, re.IGNORECASE):
        return None
    R, T = re.search(r"\bR\s*[=:]", text), re.search(r"\bT\s*[=:]", text)
    if R is None:
        return None
    rotation = _bracket_behind(text, R.end())
    if rotation is None or len(rotation) != 9:
        return None
    reading = read_orientation("matrix active", rotation, source=maker.name)
    shift = None if T is None else _bracket_behind(text, T.end())
    if shift is None or len(shift) != 3 or reading.R is None:
        return reading
    R_WC: Array = reading.R.T.T
    p = -(R_WC @ np.array(shift, dtype=float))
    return read_orientation("matrix active", rotation, source=maker.name, p=p.tolist())


def _colmap(maker: Maker, text: str) -> Reading | None:
    readings: list[Reading] = []
    for match in re.finditer(maker.shape, text):
        q, t = ([_numeral(word) for word in group.split()] for group in match.groups())
        readings.append(read_orientation(maker.form, q, source=maker.name, p=t))
    return join_readings(readings, maker.name) if readings else None


_SPECIAL = {
    "OpenCV: rvec, tvec": _rvec,
    "glTF: rotation": _gltf,
    "three.js: Euler": _three_euler,
    "Unity: Quaternion.Euler": _unity_euler,
    "Unreal: FRotator": _unreal,
    "PyTorch3D: R, T": _pytorch3d,
    "COLMAP: images.txt": _colmap,
}


def _numeral(word: str) -> Numeral:
    number = read_numeral(word)
    if number is None:
        raise ReadingError(f"Expected a number, got {word[:40]}.")
    return number
