"""Remarks on a model or a page: items of the scene that the format cannot hold, and the accuracy of the motion."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from framescope.app.exporters.formats import formats_by_suffix
from framescope.core.errors import counted
from framescope.core.evaluation.evaluate import Plan
from framescope.core.system.features import load_entry

if TYPE_CHECKING:
    from framescope.app.exporters.scene_graph.scene_graph import Accuracy


def left_out_text(plan: Plan, suffix: str) -> str:
    """Return a sentence on the items of a scene and its picture that a format cannot hold; empty for none."""
    file_format = formats_by_suffix().get(suffix)
    items = tuple(load_entry(file_format.omits)(plan)) if file_format is not None and file_format.omits else ()
    *first, last = items or ("",)
    return f"Left out: {', '.join(first)}{' and ' if first else ''}{last}." if last else ""


def omitted_by_models(plan: Plan) -> Iterator[str]:
    """Yield the items of a scene and its picture that a model cannot hold."""
    view_data = plan.view_data
    if view_data.has_label.any() or view_data.has_triad.any():
        yield "names and letters"
    has_arrows = any(compiled.arrows for compiled in plan.instruments.sensors.values())
    if has_arrows or view_data.forces is not None or view_data.torques is not None or view_data.arcs:
        yield "values at arrows and arcs"
    yield from omitted_clouds(plan)
    if view_data.trails:
        yield "trails"
    if view_data.notes:
        yield "notes"
    yield "the grid"
    yield from omitted_rings(plan)
    if view_data.plots:
        yield "plots"


def omitted_clouds(plan: Plan) -> Iterator[str]:
    """Yield the points of clouds, where a scene has some."""
    names = [body.name for body in plan.view_data.bodies if body.kind == "points"]
    if names:
        yield f"the points of {names[0]}" if len(names) == 1 else "clouds of points"


def omitted_rings(plan: Plan) -> Iterator[str]:
    """Yield the highlight of rings near gimbal lock, where a scene has rings."""
    if plan.view_data.rings:
        yield "the edges of rings that light up near a lock"


def accuracy_text(accuracy: Accuracy) -> str:
    """Describe the accuracy of a motion between its samples.

    >>> from framescope.app.exporters.scene_graph.scene_graph import Accuracy
    >>> from framescope.core.kernels.sampled_tracks import ErrorBound
    >>> accuracy_text(Accuracy(ErrorBound(math.radians(0.005), 9.2e-5), 0.8, 0, 900))
    'between samples turns are within 0.005° and places within 0.092 mm'
    >>> accuracy_text(Accuracy(ErrorBound(math.radians(0.005), 9.2e-5), 0.8, 1, 900)).split("; ")[1]
    '1 jump takes about 0.01 ms'
    """
    bound = accuracy.kept
    angle, length = f"{math.degrees(bound.angle):.2g}°", _length_text(bound.length)
    text = f"between samples turns are within {angle} and places within {length}"
    if accuracy.reached > 1.0:
        wanted = math.degrees(accuracy.bound.angle)
        text += f"; {wanted:g}° would take more samples than can be kept: export a shorter part of the time"
    if accuracy.jumps:
        jumps = "1 jump takes" if accuracy.jumps == 1 else f"{accuracy.jumps} jumps take"
        text += f"; {jumps} about 0.01 ms"
    return text


def accuracy_remark(path: Path, accuracy: Accuracy | None) -> str:
    """Describe the size of an exported file, and its accuracy, if any."""
    return size_text(path.stat().st_size) + ("" if accuracy is None else f"; {accuracy_text(accuracy)}")


def size_text(n_bytes: int) -> str:
    """Return a file's size with its unit.

    >>> size_text(900), size_text(3_210_000), size_text(45_600), size_text(2_000_000_000)
    ('900 bytes', '3.2 MB', '46 kB', '2.0 GB')
    """
    if n_bytes < 1000:
        return counted(n_bytes, "byte")
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= 0.9995 * size:
            return f"{n_bytes / size:.{1 if n_bytes < 10 * size else 0}f} {unit}"
    return f"{n_bytes / 1e3:.1f} kB"


def _length_text(length: float) -> str:
    size, unit = next(((size, unit) for size, unit in _UNITS if length >= 0.01 * size), _UNITS[-1])
    return f"{length / size:.2g} {unit}"


_UNITS = ((1000.0, "km"), (1.0, "m"), (1e-3, "mm"), (1e-6, "µm"))
