"""Variants of a measured pose: each is the measurement with one convention read otherwise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from framescope.core.scene.schema import poses
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.quantities import UNITS

MAX_CHANGES = 2


@dataclass(frozen=True)
class Variant:
    """A measurement said otherwise: what would have been wrong, the words of the button, and in how many ways."""

    measurement: MeasuredPose
    what: str
    button: str
    n_changes: int


Change = tuple[str, str, dict[str, object]]
"""What would have been wrong, the words of a button, and the fields of the measurement that change."""


def variants(measurement: MeasuredPose, frames: Sequence[str]) -> Iterator[Variant]:
    """Yield a measurement as it stands, and said otherwise in one way or two; the fewest changes first.

    Parameters
    ----------
    frames
        Other frames that it may be about, the likely ones first.
    """
    yield Variant(measurement, "", "", 0)
    kinds = (
        tuple(_of_frames(measurement, frames)),
        tuple(_of_orientation(measurement)),
        tuple(_of_position(measurement)),
    )
    for n in range(1, MAX_CHANGES + 1):
        for groups in itertools.combinations(kinds, n):
            for changes in itertools.product(*groups):
                update = {key: value for _, _, fields in changes for key, value in fields.items()}
                what = " and ".join(change[0] for change in changes)
                yield Variant(measurement.model_copy(update=update), what, changes[0][1] if n == 1 else "Say it so", n)


def _of_frames(measurement: MeasuredPose, frames: Sequence[str]) -> Iterator[Change]:
    of, relative_to = measurement.of, measurement.relative_to
    swapped: dict[str, object] = {"of": relative_to, "relative_to": of}
    yield f"it is the pose of {relative_to} in {of}", "Swap the frames", swapped
    for other in frames:
        if other not in (of, relative_to):
            yield f"it is relative to {other}", f"Relative to {other}", {"relative_to": other}
            yield f"it is of {other}", f"Measure it of {other}", {"of": other}


def _of_orientation(measurement: MeasuredPose) -> Iterator[Change]:
    for what, button, form in _forms(measurement.orientation):
        yield what, button, {"orientation": form}


def _forms(form: poses.ConstantOrientation | None) -> Iterator[tuple[str, str, poses.ConstantOrientation]]:
    match form:
        case poses.QuaternionForm(value=(a, b, c, d), order=order):
            other = "wxyz" if order == "xyzw" else "xyzw"
            message = "first" if other == "wxyz" else "last"
            yield (
                f"its quaternion has the scalar {message}",
                f"Read as {other}",
                form.model_copy(update={"order": other}),
            )
            inverse = (-a, -b, -c, d) if order == "xyzw" else (a, -b, -c, -d)
            yield "its quaternion is the inverse", "Invert the quaternion", form.model_copy(update={"value": inverse})
        case poses.MatrixForm(maps=maps):
            other = "frame to parent" if maps == "parent to frame" else "parent to frame"
            yield "its matrix is transposed", f"Read as {other}", form.model_copy(update={"maps": other})
        case poses.Axes(sequence=sequence, angles=(a, b, c), unit=unit):
            about_fixed = form.model_copy(update={"sequence": sequence[::-1], "angles": (c, b, a)})
            yield "its turns are about fixed axes", "Turn about fixed axes", about_fixed
            yield from _in_other_units(form, unit)
            inverse = tuple(-x if isinstance(x, float) else f"-({x})" for x in (c, b, a))
            changed = form.model_copy(update={"sequence": sequence[::-1], "angles": inverse})
            yield "its turns are the inverse", "Invert the turns", changed
            for other in ("XYZ", "ZYX", "ZXY", "YXZ", "XZY", "YZX"):
                if other != sequence:
                    changed = form.model_copy(update={"sequence": other})
                    yield f"its sequence is {other}", f"Read as {other}", changed
        case poses.Planar(angle=angle, unit=unit) | poses.Axis(angle=angle, unit=unit):
            back = -angle if isinstance(angle, float) else f"-({angle})"
            yield "its turn is the inverse", "Turn the other way", form.model_copy(update={"angle": back})
            yield from _in_other_units(form, unit)
        case _:
            return


def _in_other_units(
    form: poses.Axes | poses.Planar | poses.Axis, unit: str | None
) -> Iterator[tuple[str, str, poses.ConstantOrientation]]:
    for other in ("deg", "rad"):
        if other != unit:
            yield f"its angles are in {other}", f"Read as {other}", form.model_copy(update={"unit": other})


def _of_position(measurement: MeasuredPose) -> Iterator[Change]:
    if measurement.position is None or not any(measurement.position.value):
        return
    for other in UNITS["length"]:
        if other != measurement.position.unit:
            position = measurement.position.model_copy(update={"unit": other})
            yield f"its position is in {other}", f"Read as {other}", {"position": position}
    back = tuple(-x if isinstance(x, float) else f"-({x})" for x in measurement.position.value)
    yield (
        "its position points the other way",
        "Turn the position",
        {"position": measurement.position.model_copy(update={"value": back})},
    )
