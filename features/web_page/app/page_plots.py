"""Plots of a scene in a page: the values of exported curves, and the sources of curves that the page recomputes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.request import ExportRequest
from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.plots import CompiledPlot, compile_plot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import components_of
from framescope.features.web_page.core.scene_code import SceneCode, formula_name, parts_of_relation
from framescope.ui.plots.curves import Curves
from framescope.ui.plots.plot_content import plot_contents, plot_in

Json = dict[str, Any]

SAMPLES = 240
"""Number of samples of an exported curve: a plot of a page is some hundred pixels wide."""


class Arrays(Protocol):
    """Store of arrays, which returns the position of each."""

    def array(self, values: NDArray[np.number]) -> list[Any]:
        """Store an array and return its kind, offset and count."""
        ...


def plots_of(request: ExportRequest, packed: Arrays, code: SceneCode | None) -> list[Json]:
    """Return the charts of a scene's plots over the time of a page."""
    plan = request.plan
    first, last = max(request.start, plan.start), min(request.stop, plan.end)
    times = np.linspace(*((first, last) if first < last else (plan.start, plan.end)), SAMPLES)
    charts = plot_contents(plan, SAMPLES, (request.start, request.stop), is_simulating=False, angles=request.angles)
    counts = [sum(chart.i_plot == i for chart in charts) for i in range(len(plan.scene.view.plots))]
    texts: list[Json] = []
    for chart in charts:
        i = chart.i_plot or 0
        sources = None if code is None or counts[i] != 1 else _sources(request, i, code)
        is_kept = np.isin(chart.t, times)
        texts.append(_chart(replace(chart, t=chart.t[is_kept], ys=chart.ys[:, is_kept]), packed, sources))
    return texts


def _chart(chart: Curves, packed: Arrays, sources: list[Json] | None) -> Json:
    is_computed = sources is not None and all(source["isExact"] for source in sources)
    text: Json = {
        "title": chart.title,
        "subtitle": chart.subtitle,
        "unit": chart.unit,
        "note": chart.note,
        "decimals": chart.decimals,
        "most": chart.y_most,
        "zero": list(chart.y_zero),
        "curves": [{"name": s.name, "color": s.color.replace("_", "-"), "dash": list(s.dash)} for s in chart.styles],
        "sources": sources,
    }
    if not is_computed:
        text["start"], text["stop"], text["count"] = float(chart.t[0]), float(chart.t[-1]), len(chart.t)
        text["values"] = packed.array(chart.ys.astype(np.float32))
    return text


def _sources(request: ExportRequest, i: int, code: SceneCode) -> list[Json] | None:
    """Return the sources from which a page computes the signals of a plot; None if it cannot compute all of them."""
    plan = request.plan
    try:
        compiled = compile_plot(plot_in(plan.scene.view.plots[i], request.angles), plan.scene, plan.index)
    except ItemError:
        return None
    sources = [_source(plan, signal, code) for signal in _signals(compiled)]
    return None if None in sources else [source for source in sources if source is not None]


def _signals(compiled: CompiledPlot) -> Iterator[CompiledPlot]:
    yield compiled
    yield from compiled.also


def _source(plan: Plan, signal: CompiledPlot, code: SceneCode) -> Json | None:
    if signal.through or signal.components or signal.wrapped:
        return None
    names = [signal.of, signal.relative_to, signal.resolved_in or signal.relative_to]
    kind, components = signal_named(signal.signal), components_of(signal, plan.scene)
    if kind.relation is None and not kind.formula and signal.signal != "angles":
        return None
    if not all(is_computed(plan, name, code) for name in names):
        return None
    parent = plan.names[max(int(plan.tree.parents[plan.index[signal.of]]), 0)]
    is_own = parent == signal.relative_to and _is_as_authored(plan, signal)
    return {
        "kind": signal.signal,
        "rows": [plan.index[name] for name in names],
        "sequence": signal.sequence,
        "factor": signal.factor,
        "formula": formula_name(kind, signal.sequence) if kind.formula else "",
        "parts": parts_of_relation(kind),
        "columns": list(kind.relation or map(components.columns.index, components.usual)),
        "isExact": signal.signal != "angles" or is_own,
        "isOwn": signal.signal == "angles" and is_own,
    }


def _is_as_authored(plan: Plan, signal: CompiledPlot) -> bool:
    """Return whether the angles of a plot equal the authored angles of the frame; past a lock they differ."""
    if signal.signal != "angles" or plan.sequence(signal.of) != signal.sequence:
        return False
    times = np.linspace(plan.start, plan.end, SAMPLES)
    authored = [plan.angles(signal.of, t) for t in times.tolist()]
    angles = np.array([np.full(3, np.nan) if row is None else row[0] for row in authored])
    return np.allclose(signal.factor * plot_curves(plan, signal, times), angles, rtol=0.0, atol=1e-9)


def is_computed(plan: Plan, name: str, code: SceneCode) -> bool:
    """Return whether a page computes a frame and all its ancestors."""
    row = plan.index.get(name, -1)
    while row > 0:
        if code.frames[row] is None:
            return False
        row = int(plan.tree.parents[row])
    return row == 0
