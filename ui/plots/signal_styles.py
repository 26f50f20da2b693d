"""Styles of the curves of signals by component: name in the legend, colour and dash.

The dashes of one signal need not differ: `Curves` makes them differ.
"""

from __future__ import annotations

from dataclasses import replace

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.signal_kinds import ANGLES, ENERGIES, RESIDUE_NAMES, XYZ, signal_named
from framescope.core.scene.schema.signals import components_of
from framescope.core.system.features import load_entry
from framescope.ui.formatting.item_names import angle_letters, measure_name
from framescope.ui.plots.curves import OTHER_COLORS, CurveStyle
from framescope.ui.plots.dashes import AXIS_DASHES, DASH_DOT, DASH_DOT_DOT, LONG_DASHED, Dash

Styles = dict[str, CurveStyle]

ENERGY_COLORS = ("frame_a", "good", "force", "omega", "text")
"""Colours of the energies; none is the colour of an axis."""

_SECOND_DASHES: dict[str, Dash] = dict(zip(XYZ, (LONG_DASHED, DASH_DOT, DASH_DOT_DOT), strict=True))
"""Dash of the second curve of each axis, as for measured values."""


RESIDUE_STYLES = tuple(
    CurveStyle(name, f"axis_{axis}", dashes[axis])
    for name, axis, dashes in zip(RESIDUE_NAMES, "xyzxyz", (*3 * [AXIS_DASHES], *3 * [_SECOND_DASHES]), strict=True)
)
"""Styles of the residues: the columns' lengths, then their products."""


def styles_of(plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the styles of all components of a signal."""
    return load_entry(signal_named(signal.signal).styles)(plan, signal)


def usual_styles(plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the styles of a vector in the colours of the axes, or of scalars by their names.

    A single scalar is named by the symbol of its signal.
    """
    kind, components = signal_named(signal.signal), components_of(signal, plan.scene).every
    if set(components) <= {*XYZ, "norm"}:
        return vector_styles(kind.symbol)
    if len(components) == 1:
        return {components[0]: CurveStyle(kind.symbol or components[0])}
    colors = (OTHER_COLORS[i % len(OTHER_COLORS)] for i in range(len(components)))
    return {name: CurveStyle(name, color) for name, color in zip(components, colors, strict=True)}


def pixel_styles(_plan: Plan, _signal: CompiledPlot) -> Styles:
    """Return the styles of the pixel across and down: x and y of the image."""
    return {name: CurveStyle(name, f"axis_{axis}", AXIS_DASHES[axis]) for name, axis in (("u", "x"), ("v", "y"))}


def vector_styles(symbol: str) -> Styles:
    """Return the styles of the components of a vector and of its magnitude."""
    styles = {axis: CurveStyle(symbol + axis, f"axis_{axis}", AXIS_DASHES[axis]) for axis in XYZ}
    return styles | {"norm": CurveStyle(f"|{symbol}|", "text")}


def styles_by_sequence(sequence: str) -> tuple[CurveStyle, ...]:
    """Return the styles of three angles in the colours and dashes of their axes."""
    return tuple(
        CurveStyle(name, f"axis_{axis}", AXIS_DASHES[axis])
        for name, axis in zip(angle_letters(sequence), sequence.lower(), strict=True)
    )


def angle_styles(_plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the styles of three angles."""
    return dict(zip(ANGLES, styles_by_sequence(signal.sequence), strict=True))


def rate_styles(plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the styles of the rates of three angles."""
    styles = styles_by_sequence(signal.sequence)
    rates = (replace(style, name=f"d{style.name[0]}/dt{style.name[1:]}") for style in styles)
    return dict(zip(components_of(signal, plan.scene).usual, rates, strict=True))


def singularity_styles(_plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the style of the measure of gimbal lock."""
    return {signal.signal: CurveStyle(measure_name(signal.sequence))}


def condition_styles(_plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the style of the condition number."""
    return {signal.signal: CurveStyle("condition")}


def quaternion_styles(_plan: Plan, _signal: CompiledPlot) -> Styles:
    """Return the styles of a quaternion."""
    axes = {axis: CurveStyle(axis, f"axis_{axis}", AXIS_DASHES[axis]) for axis in XYZ}
    return axes | {"w": CurveStyle("w", "text")}


def residue_styles(_plan: Plan, _signal: CompiledPlot) -> Styles:
    """Return the styles of the residues."""
    return dict(zip(RESIDUE_NAMES, RESIDUE_STYLES, strict=True))


def axis_pair_styles(plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the styles of angles between axes in the colour of the first axis."""
    names = components_of(signal, plan.scene).every
    return {name: CurveStyle(name, f"axis_{name[0]}", AXIS_DASHES[name[0]]) for name in names}


def energy_styles(_plan: Plan, _signal: CompiledPlot) -> Styles:
    """Return the styles of the energies."""
    names = (name.split()[0] for name in ENERGIES)
    return dict(zip(ENERGIES, map(CurveStyle, names, ENERGY_COLORS), strict=True))


def measured_styles(plan: Plan, signal: CompiledPlot) -> Styles:
    """Return the styles of measured values, and of the values computed from the tree in the same colours."""
    measurement = plan.scene.measured[signal.of]
    form = measurement.form if isinstance(measurement, MeasuredVector) else "position"
    vector = vector_styles(signal_named(form).symbol)
    measured = {
        f"{part} claimed": CurveStyle(f"{style.name} measured", style.color, _SECOND_DASHES.get(part, DASH_DOT))
        for part, style in vector.items()
    }
    return measured | {f"{part} computed": style for part, style in vector.items()}
