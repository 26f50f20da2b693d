"""Meaning of column names: component, quantity, frame and unit.

>>> read_name("camera.pose.orientation.x")
Named(kind='quaternion', component='x', prefix='camera', unit='')
>>> read_name("imu_qw"), read_name("p_RS_R_x [m]").component, read_name("time_ms").unit
(Named(kind='quaternion', component='w', prefix='imu', unit=''), 'x', 'ms')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from framescope.core.recordings.tables.split_timestamps import read_as_twin

_UNITS = {
    "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
    "ms": "ms", "msec": "ms", "millis": "ms", "milliseconds": "ms", "millisecond": "ms",
    "us": "us", "usec": "us", "micros": "us", "microseconds": "us", "µs": "us",
    "ns": "ns", "nsec": "ns", "nsecs": "ns", "nanos": "ns", "nanoseconds": "ns",
    "min": "min", "mins": "min", "minute": "min", "minutes": "min", "h": "h", "hr": "h", "hour": "h", "hours": "h",
    "m": "m", "cm": "cm", "mm": "mm", "km": "km", "um": "um", "µm": "um", "micron": "um", "microns": "um",
    "meter": "m", "metre": "m", "meters": "m", "metres": "m", "millimeters": "mm", "millimetres": "mm",
    "centimeters": "cm", "centimetres": "cm", "kilometers": "km", "kilometres": "km", "millimeter": "mm",
    "centimeter": "cm", "millimetre": "mm", "centimetre": "cm",
    "in": "in", "inch": "in", "inches": "in", '"': "in", "ft": "ft", "foot": "ft", "feet": "ft",
    "deg": "deg", "degs": "deg", "degree": "deg", "degrees": "deg", "°": "deg",
    "rad": "rad", "rads": "rad", "radian": "rad", "radians": "rad", "mrad": "mrad",
    "turn": "turn", "turns": "turn", "rev": "turn", "revs": "turn",
}  # fmt: skip
_TIME_UNITS = ("s", "ms", "us", "ns", "min", "h")
_TIME = {"t", "time", "times", "timestamp", "timestamps", "stamp", "ts", "clock", "epoch", "elapsed", "zeit", "utc",
         "datetime", "unixtime", "systime", "tow", "itow", "sow"}  # fmt: skip
INDEX = {"frame", "frames", "index", "idx", "row", "rows", "sample", "samples", "n", "no", "nr", "number", "count",
         "counter", "seq", "step", "i", "k", "id", "#", "num", "line", "record"}  # fmt: skip
"""Names of columns that count rows."""
_QUATERNION = {"q", "quat", "quaternion", "orientation", "rotation", "rot", "ori", "attitude", "att"}
_POSITION = {"p", "t", "pos", "position", "translation", "trans", "loc", "location", "origin", "xyz", "point", "tvec",
             "coord", "coordinate"}  # fmt: skip
_MATRIX = {"r", "rot", "rotation", "m", "matrix", "dcm", "rotmat", "c", "t", "tf", "transform", "pose", "h", "mat"}
_ANGLES = {"euler", "rpy", "ypr", "angle", "angles", "eul", "cardan"}
_VECTOR = {"rvec", "rotvec", "rotvect", "rodrigues", "axisangle", "angleaxis", "helical", "rotationvector", "aa", "so3"}
COMPASS = {"heading", "hdg", "azimuth", "azi", "bearing", "course", "cog", "compass"}
"""Names of angles that usually turn clockwise from north."""
_OTHER = {
    "v", "vel", "velocity", "linear", "twist", "acc", "accel", "acceleration", "a", "gyro", "angular", "w", "omega",
    "mag", "magnetic", "force", "torque", "f", "cov", "covariance", "bias", "b", "g", "gravity", "std", "sigma",
    "rate", "rates", "d", "dot", "error", "err", "lin", "gyr", "gyroscope", "accelerometer", "speed", "temp",
    "temperature",
}  # fmt: skip
_QUANTITIES = {
    "pos", "position", "translation", "trans", "location", "quat", "quaternion", "orientation", "rotation", "rot",
    "vel", "velocity", "acc", "accel", "acceleration", "gyro", "mag",
}  # fmt: skip
"""Quantities that may follow their component in a name."""
_EARTH = {"lat", "lon", "lng", "latitude", "longitude"}
"""Names of geographic coordinates, which are angles and not lengths."""
_VERSIONS = {
    "raw", "filt", "filtered", "des", "desired", "meas", "measured", "ref", "reference", "est", "estimate", "estimated",
    "cmd", "command", "sp", "setpoint", "gt", "truth", "true", "act", "actual", "target", "goal", "pred", "predicted",
    "sim", "left", "right",
}  # fmt: skip
"""Versions of a quantity, such as raw or desired, that may follow its component."""
_COMPONENT_OF_OTHER = re.compile(r"([vawgbm]|acc|accel|gyr|gyro|vel|mag|omega|lin|linacc|angvel|cov|std)[xyz]")
_FILLER = {"pose", "transform", "header", "msg", "data", "field", "value", "state", "tf", "transforms"}
_FRAME = {"frame", "name", "body", "object", "link", "child", "sensor", "marker", "joint", "tracker", "device", "id"}
_LETTERS = {"i": "x", "j": "y", "k": "z", "r": "w", "s": "w"}
ANGLE_NAMES = {"roll": "roll", "pitch": "pitch", "yaw": "yaw", **dict.fromkeys(COMPASS, "yaw"), "bank": "roll",
               "elevation": "pitch", "phi": "roll", "theta": "pitch", "psi": "yaw",
               "alpha": "first", "beta": "second", "gamma": "third"}  # fmt: skip
"""Names of angles, with the angle that each means: roll, pitch, yaw, or first, second, third rotation."""


@dataclass(frozen=True)
class Named:
    """Meaning of a column's name.

    Attributes
    ----------
    kind
        ``"time"``, ``"position"``, ``"quaternion"``, ``"matrix"``, ``"angle"``, ``"axis angle"`` (an angle named by its
        axis), ``"rotation vector"``, ``"bare"`` (x, y or z of something), ``"frame"``, ``"parent"``, ``"other"``, or
        empty if the meaning is unknown.
    component
        ``"x"``, ``"y"``, ``"z"``, ``"w"``; row and column of a matrix element, from 0 or 1; the name of an angle; or an
        index.
    prefix
        Name of the frame or body; empty if the column's name contains none.
    unit
        Unit as in scene files; empty if the column's name contains none.
    """

    kind: str
    component: str = ""
    prefix: str = ""
    unit: str = ""


def read_name(name: str) -> Named:
    """Return the meaning of a column's name."""
    name = read_as_twin(name) or name
    plain, unit = _split_unit(name.strip().lstrip("#%/").strip())
    count = re.search(r" \(([2-9]|[1-9][0-9])\)$", plain)
    if count:  # the reader appends a count to a repeated name
        meaning = read_name(plain[: count.start()] + (f" [{unit}]" if unit else ""))
        return replace(meaning, prefix="_".join(filter(None, (meaning.prefix, count[1]))))
    words = [word for word in re.split(r"[._/\-\s\[\]():,]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", plain)) if word]
    if not words:
        return Named("", unit=unit)
    if unit == _OF_ANOTHER or _is_turn_in_odd_unit(words):
        return Named("other")
    return _meaning(words, unit)


def _is_turn_in_odd_unit(words: list[str]) -> bool:
    return len(words) > 1 and words[-1].lower() in ("arcmin", "arcsec", "gon")


def _meaning(words: list[str], unit: str) -> Named:
    """Return the meaning of the words of a name; the last word may be a unit."""
    if len(words) > 1 and not unit and _is_unit(words[-1].lower(), words[-2].lower()):
        unit = _UNITS[words.pop().lower()]
    words = version_first(words)
    if len(words) > 1 and words[-1].lower() in _QUANTITIES and re.fullmatch(r"[wxyzWXYZ]", words[-2]):
        words[-2:] = words[-1], words[-2]  # X position
    last, before = words[-1].lower(), words[:-1]
    stems = {word.lower() for word in before}
    if kind := _of_frame(last, stems):
        return Named(kind, unit=unit)
    if _is_other(last, stems) or last in _EARTH:
        return Named("other", unit=unit)
    if (last in _TIME and not (last == "t" and stems & _POSITION)) or (stems & _TIME - {"t"} and last in _UNITS):
        return Named("time", prefix=_prefix(before), unit=unit or _UNITS.get(last, ""))
    if last in _UNITS and _UNITS[last] in _TIME_UNITS and not before and last not in ("s", "m", "h"):
        return Named("time", unit=_UNITS[last])
    if last in ANGLE_NAMES:
        return Named("angle", ANGLE_NAMES[last], _prefix(before), unit)
    return _component(last, before, unit)


def version_first(words: list[str]) -> list[str]:
    """Move the version of a quantity, as in ``qw_des`` or ``ax_raw``, before the other words of a name.

    >>> version_first(["qw", "des"]), version_first(["roll"])
    (['des', 'qw'], ['roll'])
    """
    return [words[-1], *words[:-1]] if len(words) > 1 and words[-1].lower() in _VERSIONS else words


def is_on_earth(name: str) -> bool:
    """Return whether a name contains latitude or longitude."""
    return any(word in _EARTH for word in re.split(r"[^a-z]+", name.lower()))


def _component(last: str, before: list[str], unit: str) -> Named:
    """Return the meaning of a name that ends in a component: ``qx``, ``q.x``, ``r11``, ``q[0]``, ``x``."""
    stems = {word.lower() for word in before}
    if "axis" in stems and "angle" not in stems:
        return Named("", unit=unit)  # component of the axis in a pair of axis and angle
    prefix = _prefix(before)
    if meaning := _element(last, before, stems, unit):
        return meaning
    if meaning := _quaternion(last, stems, prefix, unit):
        return meaning
    if re.fullmatch(r"\d+", last) and before:
        return Named("array", last, ".".join(before), unit)
    if (meaning := re.fullmatch(r"(p|t|pos|trans|position|loc)([xyz])", last)) or (
        last in ("x", "y", "z") and stems & _POSITION and (meaning := re.fullmatch(r"()([xyz])", last))
    ):
        return Named("position", meaning[2], prefix, unit)
    if meaning := _about_axis(last, stems, prefix, unit):
        return meaning
    if last in ("x", "y", "z", "w"):
        return Named("bare", last, prefix, unit)
    return Named("", unit=unit)


def _element(last: str, before: list[str], stems: set[str], unit: str) -> Named | None:
    """Return the element of a matrix in a name: ``r11``, ``T_0_3``, ``m[2][1]``; None for any other name."""
    indices = re.fullmatch(r"(r|m|c|t|h|a|rot|dcm|matrix|mat|pose|tf)?([0-4])([0-4])", last)
    if indices and (indices[1] or stems & _MATRIX):
        return Named("matrix", indices[2] + indices[3], _matrix_prefix(before), unit)
    row_index = re.fullmatch(r"(r|m|c|t|h)?([0-4])", before[-1].lower()) if before else None
    if row_index and re.fullmatch(r"[0-4]", last) and (row_index[1] or stems & _MATRIX):
        return Named("matrix", row_index[2] + last, _matrix_prefix(before[:-1]), unit)
    return None


def _about_axis(last: str, stems: set[str], prefix: str, unit: str) -> Named | None:
    """Return the angle about an axis, or the component of a rotation vector, in a name; None for any other name."""
    if match := re.fullmatch(r"(rvec|rotvec|rotvect|rod|aa)([xyz])", last):
        return Named("rotation vector", match[2], prefix, unit)
    if last in ("x", "y", "z") and (stems & _VECTOR or {"rot", "vec"} <= stems or {"axis", "angle"} <= stems):
        return Named("rotation vector", last, prefix, unit)
    if match := re.fullmatch(r"(r|euler|angle|ang|eul|rot|rotation)([xyz])", last):
        return Named("axis angle", match[2], prefix, unit)
    if last in ("x", "y", "z") and stems & _ANGLES:
        return Named("axis angle", last, prefix, unit)
    return None


def _quaternion(last: str, stems: set[str], prefix: str, unit: str) -> Named | None:
    """Return the meaning of a name as a quaternion component, or, with a unit, as an angle about an axis; else None.

    >>> _quaternion("qk", set(), "", "")
    Named(kind='quaternion', component='z', prefix='', unit='')
    """
    if match := re.fullmatch(r"(q|quat|ori|orientation|rot|rotation)?([xyzwijkrs])", last):
        stem, letter = match[1], _LETTERS.get(match[2], match[2])
        if stem == "q" or stem in ("quat", "ori", "orientation") or (not stem and stems & _QUATERNION):
            return Named("quaternion", letter, prefix, unit)
        if stem in ("rot", "rotation"):
            return Named("axis angle" if unit else "quaternion", letter, prefix, unit)
    if last == "rw":
        return Named("quaternion", "w", prefix, unit)
    if match := re.fullmatch(r"(q|quat)([0-4])", last):
        return Named("quaternion", match[2], prefix, unit)
    return None


def _is_unit(word: str, before: str) -> bool:
    """Return whether the last word of a name is its unit: ``time_s``, ``px_m``."""
    if word == "m":
        return bool(re.fullmatch(r"(p|t|pos|trans)?[xyz]|east(ing)?|north(ing)?|up|down|alt(itude)?|height", before))
    if word in ("s", "h"):
        return before in _TIME
    return word in _UNITS and word != '"'


def unit_of(text: str) -> str:
    """Return the unit that a text consists of, as in scene files; empty if it is not a unit.

    >>> unit_of("[mm]"), unit_of("Degrees"), unit_of("px")
    ('mm', 'deg', '')
    """
    return _UNITS.get(text.strip().strip("[]()").strip().lower(), "")


_OTHER_UNIT = re.compile(
    r"[/^²]|[a-z] ?-?\d$|^(m?g|m?dps|hz|ut|gauss|c|°c|pa|hpa|kn|kts?|knots?|mph|kph|rpm|gal)$", re.IGNORECASE
)
_OF_ANOTHER = "of another quantity"


def _split_unit(name: str) -> tuple[str, str]:
    match = re.search(r"\s*[\[(]\s*([^\[\]()]*?)\s*[\])]\s*$", name)
    if match and (not match[1] or match[1].lower() in _UNITS):
        return name[: match.start()], _UNITS.get(match[1].lower(), "")
    if match and _OTHER_UNIT.search(match[1].lower()):
        return name[: match.start()], _OF_ANOTHER
    if match and match[1].lower() in ("counts", "count", "raw", "lsb", "quat", "unitless"):
        return name[: match.start()], ""
    return name, ""


def _of_frame(last: str, stems: set[str]) -> str:
    if last in ("parent", "base") or (last in _FRAME and stems & {"parent", "base"}):
        return "parent"
    if (last == "id" and "frame" in stems and "header" in stems) or (last in ("id", "frame") and "source" in stems):
        return "parent"
    if last in _FRAME or (last == "name" and stems & _FRAME):
        return "frame"
    return ""


def _is_other(last: str, stems: set[str]) -> bool:
    words = stems - _POSITION - _QUATERNION
    return bool(words & _OTHER) or (len(last) > 1 and (last in _OTHER or bool(_COMPONENT_OF_OTHER.fullmatch(last))))


def _matrix_prefix(words: list[str]) -> str:
    return "_".join(word for word in words if word.lower() not in _MATRIX | _FILLER)


def _prefix(words: list[str]) -> str:
    """Return the words of a name that do not describe the quantity."""
    known = _QUATERNION | _POSITION | _ANGLES | _FILLER | _TIME | _VECTOR | COMPASS
    known |= {"r", "matrix", "dcm", "vec", "axis"}
    return "_".join(word for word in words if word.lower() not in known)
