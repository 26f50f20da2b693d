"""Arrows and measured positions of sensors that a page recomputes when the user changes the measured frames."""

from __future__ import annotations

from typing import Any

from framescope.core.evaluation.evaluate import Plan
from framescope.core.sensors import AbsoluteSensor
from framescope.features.web_page.app.page_plots import is_computed
from framescope.features.web_page.core.scene_code import SceneCode
from framescope.ui.scene_view.visuals.sensor_arrows import SYMBOLS, position_rows

Json = dict[str, Any]

PLACES = {"w": 3, "v": 6, "z": 9, "a": 12, "s": 12}
"""Offset of each vector in the result of the page's function ``relation``; a specific force is an acceleration less
gravity."""


def arrows_of(plan: Plan, code: SceneCode | None) -> list[Json]:
    """Return the sensor arrows between frames that a page computes, with the rows of the frames and the scale, m.

    Positions have only rows: end and start.
    """
    if code is None:
        return []
    arrows = [
        {
            "role": "sensor",
            "name": name,
            "symbol": SYMBOLS[key],
            "rows": [plan.index[compiled.at], plan.index[compiled.seen_from]],
            "place": PLACES[key],
            "metres": metres,
            "less": list(compiled.sensor.gravity_W)
            if isinstance(compiled.sensor, AbsoluteSensor) and key == "s"
            else [0.0, 0.0, 0.0],
        }
        for name, compiled in plan.instruments.sensors.items()
        if is_computed(plan, compiled.at, code) and is_computed(plan, compiled.seen_from, code)
        for key, metres in compiled.arrows.items()
        if key in PLACES
    ]
    return [*arrows, *({"role": "frame_a", "rows": [end, start]} for start, end in position_rows(plan))]
