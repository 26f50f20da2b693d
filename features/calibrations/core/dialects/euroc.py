"""Sensor calibrations of EuRoC and TUM-VI: a ``sensor.yaml`` in the folder of each sensor.

``T_BS`` takes points of the sensor to the body.

References
----------
EuRoC MAV dataset (Burri et al. 2016), "sensor.yaml: sensor extrinsics wrt. the body-frame". TUM-VI, ``sensor.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from framescope.core.errors import Problem, visible_text
from framescope.features.calibrations.core.calibration import (
    Calibration,
    CalibrationError,
    Edge,
    Fact,
    Lens,
    edge_of,
    lens_problem,
    pose_of_rows,
)
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.lens_models import NONE, RADTAN, frame_name, lens_model
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.opencv_storage import (
    facts_at,
    pose_rows,
    read_storage,
    replace_entry,
)
from framescope.features.calibrations.core.yaml_texts import floats

BODY = "body"
"""Name of the frame of the body."""

_KEY = "T_BS"
_MARK = re.compile(rb"^[ \t]*\{?[ \t]*[\"']?T_BS[\"']?\s*:", re.MULTILINE)
_OKVIS = re.compile(rb"^[ \t{-]*T_SC[ \t]*:", re.MULTILINE)
_PLAIN_NAMES = {"sensor", "calibration"}
_FACTS = (
    ("rate_hz", "rate", "Hz"),
    ("gyroscope_noise_density", "noise of the gyroscope", "rad/s/√Hz"),
    ("gyroscope_random_walk", "random walk of the gyroscope", "rad/s²/√Hz"),
    ("accelerometer_noise_density", "noise of the accelerometer", "m/s²/√Hz"),
    ("accelerometer_random_walk", "random walk of the accelerometer", "m/s³/√Hz"),
)


def is_euroc(head: bytes) -> bool:
    """Return whether a text has the matrix T_BS, and none of OKVIS, which uses T_BS beside its own T_SC."""
    return b"\0" not in head and _MARK.search(head) is not None and _OKVIS.search(head) is None


def read(source: Source) -> Calibration:
    """Return the pose and the lens of a sensor, or of several in one file, a section for each."""
    document = read_storage(source.text, source.name)
    edges: list[Edge] = []
    lenses: list[Lens] = []
    facts: list[Fact] = []
    problems: list[Problem] = list(document.problems)
    for name, prefix, section in _sensors(document.keys, source):
        entry = f"{prefix}{_KEY}"
        X, faults = pose_of_rows(pose_rows(section[_KEY], entry), entry)
        edges.append(edge_of(entry, (name, BODY), X, BODY))
        problems += faults
        if "intrinsics" in section:
            try:
                lenses.append(_lens(name, prefix, section))
            except CalibrationError as error:
                problems.append(lens_problem(f"{prefix}intrinsics", error))
        numbers, faults = facts_at(section, _FACTS, prefix)
        facts += numbers
        problems += faults
    if not edges:
        raise CalibrationError(f"{source.name}: expected the matrix T_BS at the top level.")
    return Calibration("euroc", tuple(edges), tuple(lenses), facts=tuple(facts), problems=tuple(problems))


def _sensors(keys: Mapping[str, Any], source: Source) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield the name, the prefix of entries and the section of each sensor."""
    if _KEY in keys:
        named = source.folder if source.stem in _PLAIN_NAMES and source.folder else source.stem
        yield _sensor_name(named), "", keys
    for key, value in keys.items():
        if isinstance(value, Mapping) and _KEY in value and "." not in key:
            yield _sensor_name(key), f"{key}.", cast("Mapping[str, Any]", value)


def _sensor_name(text: str) -> str:
    name = frame_name(text, "sensor")
    return "sensor" if name == BODY else name


def _lens(name: str, prefix: str, section: Mapping[str, Any]) -> Lens:
    numbers = floats(section["intrinsics"], None, f"{prefix}intrinsics")
    camera_model = str(section.get("camera_model", "pinhole"))
    is_pinhole = camera_model.lower() == "pinhole"
    if len(numbers) < 4 or (is_pinhole and len(numbers) != 4):
        raise CalibrationError(f"{prefix}intrinsics: expected fu, fv, cu, cv, got {len(numbers)} numbers.")
    fu, fv, cu, cv = numbers[-4:]
    coefficients = floats(section.get("distortion_coefficients") or [], None, f"{prefix}distortion_coefficients")
    named = str(section.get("distortion_model") or "none")
    if is_pinhole:
        model = lens_model(named, len(coefficients), f"{prefix}distortion_coefficients")
    else:
        model = visible_text(f"{camera_model}-{named}")
    size = floats(section["resolution"], 2, f"{prefix}resolution") if "resolution" in section else None
    return Lens(
        name,
        None if size is None else (int(size[0]), int(size[1])),
        (fu, fv),
        (cu, cv),
        model,
        numbers[:-4] + coefficients,
        visible_text(str(section.get("comment", "")))[:200],
    )


# --- Writing

_NAMES = {RADTAN: "radial-tangential"}


def write(calibration: Calibration) -> str:
    """Return the text of a ``sensor.yaml``, with the direction of the matrix as a comment.

    Raises
    ------
    CalibrationError
        When there is not exactly one pose, or a lens of another sensor.
    """
    if len(calibration.edges) != 1:
        raise CalibrationError("a sensor.yaml of EuRoC holds the pose of one sensor in the body. Write each apart.")
    edge = calibration.edges[0]
    frames = {lens.frame for lens in calibration.lenses}
    if not frames <= {edge.parent, edge.child} or len(calibration.lenses) > 1:
        raise CalibrationError("a sensor.yaml of EuRoC holds one lens, that of its sensor.")
    is_turned = edge.child == BODY or edge.parent in frames
    sensor, body = (edge.parent, edge.child) if is_turned else (edge.child, edge.parent)
    X_BS = edge.X_PC.inverse() if is_turned else edge.X_PC
    lines = [
        f"# T_BS takes points of {visible_text(sensor)} to {visible_text(body)}",
        f"sensor_type: {'camera' if frames else 'imu'}",
        "T_BS:",
        "  cols: 4",
        "  rows: 4",
        *_data_lines(X_BS.to_matrix().tolist()),
    ]
    lines += [line for lens in calibration.lenses for line in _lens_lines(lens)]
    facts = {fact.entry.rpartition(".")[2]: fact.value for fact in calibration.facts}
    lines += [f"{key}: {number_text(facts[key])}" for key, _, _ in _FACTS if key in facts]
    return "\n".join([*lines, ""])


def _data_lines(rows: list[list[float]]) -> list[str]:
    texts = [", ".join(map(number_text, row)) for row in rows]
    return [f"  data: [{texts[0]},", *(f"         {text}," for text in texts[1:-1]), f"         {texts[-1]}]"]


def _lens_lines(lens: Lens) -> list[str]:
    camera_model, _, named = lens.model.rpartition("-")
    n_extra = 0
    if camera_model:
        n_extra = {"omni": 1, "ds": 2, "eucm": 2}.get(camera_model, 0)
    elif named == RADTAN and len(lens.coefficients) == 5:
        if lens.coefficients[4] != 0.0:
            raise CalibrationError("a sensor.yaml of EuRoC holds k1, k2, p1, p2 and no k3.")
        lens = Lens(lens.frame, lens.size, lens.focal, lens.center, RADTAN, lens.coefficients[:4], lens.name)
    intrinsics = (*lens.coefficients[:n_extra], *lens.focal, *lens.center)
    size = [] if lens.size is None else [f"resolution: [{lens.size[0]}, {lens.size[1]}]"]
    return [
        *size,
        f"camera_model: {camera_model or 'pinhole'}",
        f"intrinsics: [{', '.join(map(number_text, intrinsics))}]  # fu, fv, cu, cv",
        f"distortion_model: {_NAMES.get(named, named) or NONE}",
        f"distortion_coefficients: [{', '.join(map(number_text, lens.coefficients[n_extra:]))}]",
    ]


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced."""
    for edge in edges:
        section = edge.entry.removesuffix(_KEY).removesuffix(".")
        path = (section, _KEY) if section else (_KEY,)
        text = replace_entry(text, path, edge.X_file.to_matrix().ravel().tolist())
    return text


EUROC = Dialect(
    "euroc",
    "sensor calibrations of EuRoC and TUM-VI",
    (".yaml",),
    is_euroc,
    read,
    (("T_BS", "takes points of the sensor to the body"),),
    example="""\
sensor_type: camera
T_BS:
  cols: 4
  rows: 4
  data: [0.0, 0.0, 1.0, 0.12,
        -1.0, 0.0, 0.0, 0.03,
         0.0, -1.0, 0.0, 0.05,
         0.0, 0.0, 0.0, 1.0]
rate_hz: 20
resolution: [640, 480]
camera_model: pinhole
intrinsics: [420.0, 421.0, 318.5, 242.25] #fu, fv, cu, cv
distortion_model: radial-tangential
distortion_coefficients: [-0.28, 0.07, 0.0002, 0.00002]
""",
    write=write,
    patch=patch,
)
