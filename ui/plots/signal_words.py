"""Title, subtitle and rule of signals in plots, from the texts of their records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.delayed_frames import NOW, Delay
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_traces import CONTINUOUS_RULE, SIGN_RULE
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.poses import Integrated
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.ui.formatting.item_names import element_text, integration_text


@dataclass(frozen=True)
class SignalText:
    """Title and subtitle of the plot of a signal, and its number of decimals if fixed."""

    title: str
    subtitle: str
    decimals: int | None = None


def text_of(plan: Plan, signal: CompiledPlot) -> SignalText:
    """Return title, subtitle and decimals of a signal."""
    kind, names = signal_named(signal.signal), _names(plan, signal)
    title = kind.title.format_map(names) or kind.name.capitalize()
    decimals = 2 if kind.decimals is None and signal.unit == "deg/s" else kind.decimals
    return SignalText(title, kind.subtitle.format_map(names), decimals)


def rule_of(signal: CompiledPlot) -> str:
    """Return the rule by which one of several possible values is chosen; empty if there is only one."""
    principal_range = "from 0 to 180°" if signal.sequence[:1] == signal.sequence[2:] else "within ±90°"
    texts = {"continuous_rule": CONTINUOUS_RULE, "sign_rule": SIGN_RULE, "principal_range": principal_range}
    return signal_named(signal.signal).rule.format_map(texts)


def _names(plan: Plan, signal: CompiledPlot) -> Mapping[str, str]:
    """Return the texts that replace the names in braces of a record."""
    of, now = signal.of, ""
    if signal.through:
        of, now = f"{of} {Delay(signal.through, signal.delay).before} (through {signal.through})", NOW
    relative_to, resolved_in = f"{signal.relative_to}{now}", f"{signal.resolved_in}{now}"
    names = {
        "of": of,
        "relative_to": relative_to,
        "resolved_in": resolved_in,
        "relation": f"{of} relative to {relative_to}",
        "sequence": signal.sequence,
    }
    return {**names, **_names_of_item(plan, signal)}


def _names_of_item(plan: Plan, signal: CompiledPlot) -> Mapping[str, str]:
    """Return the texts of the item of a signal: integration of a frame, body of a point, element or measurement."""
    scene, name = plan.scene, signal.of
    match signal_named(signal.signal).item:
        case "frames" if name in scene.frames:
            form = scene.frames[name].orientation
            return {"integration": f" · {integration_text(form)}" if isinstance(form, Integrated) else ""}
        case "points":
            return {"body": scene.points[name].body}
        case "elements":
            return {"element": element_text(scene.elements[name])}
        case "measured":
            measurement = scene.measured[name]
            is_vector = isinstance(measurement, MeasuredVector)
            return {
                "quantity": measurement.form if is_vector else "position",
                "pair": f"{measurement.of} relative to {measurement.relative_to}",
                "where": measurement.resolved_in if is_vector else measurement.relative_to,
            }
        case _:
            return {}
