"""Records of the kinds of signals that can be plotted, for schema, evaluation, question bar, plots and web pages.

A new signal needs an entry of `SIGNALS` and a function that computes the signal. Packages above the schema compute and
draw signals. To keep the schema from importing them, the record names their functions as ``"package.module:function"``,
which each package loads at first use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from framescope.core.kernels.validation import as_sequence
from framescope.core.system.features import entries, load_entry


@dataclass(frozen=True)
class Components:
    """Names of the curves of a signal.

    Attributes
    ----------
    usual
        Curves that a plot shows by default.
    every
        All curves that a plot can show, magnitudes included.
    angles
        Curves of angles that a plot can wrap into (-pi, pi].
    computed
        Names of the computed columns, in order, if there are more than the usual curves. Other curves are magnitudes.
    """

    usual: tuple[str, ...]
    every: tuple[str, ...]
    angles: tuple[str, ...] = ()
    computed: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of the values, in the order in which they are computed."""
        return self.computed or self.usual


def listed(*names: str) -> Components:
    """Return components whose curves are all shown by default.

    >>> listed("x", "y").every
    ('x', 'y')
    """
    return Components(names, names)


XYZ = ("x", "y", "z")
ANGLES = ("angle 1", "angle 2", "angle 3")
SIDES = ("claimed", "computed")
VECTOR = Components(XYZ, (*XYZ, "norm"))

RESIDUE_NAMES = ("xx", "yy", "zz", "xy", "xz", "yz")
"""Names of residues by the multiplied columns: squared norms minus one, then products of two columns."""

ENERGIES = ("kinetic", "potential", "work of sources", "dissipated", "residual")

_MEASURED = tuple(f"{axis} {side}" for side in SIDES for axis in XYZ)
_AXIS_PAIRS = tuple(f"{axis} to {other}" for axis in XYZ for other in XYZ)

ItemOfSignal = Literal["frames", "sensors", "measured", "points", "elements", ""]


@dataclass(frozen=True)
class Signal:
    """Kind of signal: its facts, and the names of the functions that compute and draw it.

    Attributes
    ----------
    name
        Name in scene files, on the command line and in the window.
    item
        Kind of item that has the signal. Empty for sums over all simulated bodies.
    compute
        Function that takes `framescope.core.evaluation.signal_curves.SignalSamples` and returns the values (n, k) in SI
        units, or None if the item is unusable.
    frames
        Further frames that the signal takes: ``relative_to``, ``resolved_in``.
    has_sequence
        Whether the signal takes an axis sequence.
    is_in_parent
        Whether the signal describes a frame in its parent.
    requires
        Function that takes a scene and the name of an item, and returns an `ItemError` if the item has no such signal.
        Empty: every item has it.
    references
        Function that takes a scene and returns the frames to which the signal can be relative. Empty: any frame.
    requires_reference
        Function that takes a scene and the name of the frame `relative_to`, and returns an `ItemError` if the signal
        cannot be relative to it. Empty: any frame.
    dimension
        Dimension of its units; None for a number without a unit, and for signals with units of their own.
    unit
        Unit of a new plot.
    symbol
        Letter in legends and short names. Empty: its name.
    components
        Curves of the signal, or a function that takes a signal and a scene and returns them.
    order
        Place among the signals of its item in the question bar; None if the item itself lists it, as sensors do.
    resolved_in
        Frame in which a new plot resolves the signal: the frame itself, or its parent.
    is_offered_in_world
        Whether the question bar offers the signal relative to the world, too, for frames with another parent.
    has_rate
        Whether the signal contains a rate, which depends on the smoothing of a recording.
    rounding
        Function that takes the sizes of a motion (`framescope.core.evaluation.rounding.SizeOf`) and returns the size of
        the terms in the signal's formula. Empty: rounding errors have no bound, as for residues.
    relation
        Columns of the signal in a relation of two frames,
        ``[position, angular velocity, velocity, angular acceleration, acceleration]``, for web pages.
    formula
        Kernel that returns the computed columns in SI units. Its arguments are parts of a relation of two frames, by
        their names: ``T`` (3, 3) from the second into the first, ``r``, ``v``, ``a``, ``w``, ``z`` as in sensors. Web
        pages compute the signal with the same formula. With an axis sequence: a function that returns the kernel of
        three axes, see `formula_of`.
    title
        Title of a plot. Empty: the name of the signal.
    subtitle
        Text beside the title. Names in braces are those of `framescope.ui.plots.signal_words`.
    decimals
        Digits after the decimal point in the legend; None: by the size of the values.
    rule
        Rule for the choice among several possible values, as text with names in braces.
    styles
        Function that takes a plan and a signal, and returns the style of every component.
    view_limit
        Function that takes samples, a signal and its values, and returns the largest magnitude for the automatic range
        of a plot. Empty: no limit.
    """

    name: str
    item: ItemOfSignal
    compute: str
    _: KW_ONLY
    frames: tuple[str, ...] = ()
    has_sequence: bool = False
    is_in_parent: bool = False
    requires: str = ""
    references: str = ""
    requires_reference: str = ""
    dimension: str | None = None
    unit: str = ""
    symbol: str = ""
    components: Components | str = VECTOR
    order: int | None = None
    resolved_in: Literal["itself", "parent"] = "parent"
    is_offered_in_world: bool = False
    has_rate: bool = False
    rounding: str = ""
    relation: tuple[int, int, int] | None = None
    formula: str = ""
    title: str = ""
    subtitle: str = "{relation}, in axes of {resolved_in}"
    decimals: int | None = None
    rule: str = ""
    styles: str = "framescope.ui.plots.signal_styles:usual_styles"
    view_limit: str = ""

    @property
    def has_own_units(self) -> bool:
        """Whether the item of the signal determines the units of its values."""
        return self.item in ("sensors", "measured")


_CURVES = "framescope.core.evaluation.signal_curves"
_ROUNDING = "framescope.core.evaluation.rounding"
_BRANCHES = "framescope.core.kernels.angle_branches"
_ANGLE_KERNELS = "framescope.core.kernels.rotation_angles"
_SIGHT_KERNELS = "framescope.core.kernels.line_of_sight"
_AXIS_KERNELS = "framescope.core.kernels.axis_directions"
_SCHEMA = "framescope.core.scene.schema.signals"
_STYLES = "framescope.ui.plots.signal_styles"
_CAMERAS = "framescope.core.evaluation.frame_cameras"
_LIMITS = "framescope.ui.plots.plot_content"

_RELATIVE = ("relative_to", "resolved_in")
_ALONG_WORLD = "along the axes of world"
_ALL_BODIES = "all simulated bodies"

_TABLE = (
    Signal(
        "position",
        "frames",
        f"{_CURVES}:relative_vector",
        frames=_RELATIVE,
        dimension="length",
        unit="m",
        symbol="r",
        order=3,
        is_offered_in_world=True,
        rounding=f"{_ROUNDING}:position_size",
        relation=(0, 1, 2),
    ),
    Signal(
        "velocity",
        "frames",
        f"{_CURVES}:relative_vector",
        frames=_RELATIVE,
        dimension="velocity",
        unit="m/s",
        symbol="v",
        order=4,
        is_offered_in_world=True,
        has_rate=True,
        rounding=f"{_ROUNDING}:velocity_size",
        relation=(6, 7, 8),
    ),
    Signal(
        "acceleration",
        "frames",
        f"{_CURVES}:relative_vector",
        frames=_RELATIVE,
        dimension="acceleration",
        unit="m/s²",
        symbol="a",
        order=5,
        is_offered_in_world=True,
        has_rate=True,
        rounding=f"{_ROUNDING}:acceleration_size",
        relation=(12, 13, 14),
    ),
    Signal(
        "angular velocity",
        "frames",
        f"{_CURVES}:relative_vector",
        frames=_RELATIVE,
        dimension="angular velocity",
        unit="deg/s",
        symbol="ω",
        order=1,
        resolved_in="itself",
        is_offered_in_world=True,
        has_rate=True,
        rounding=f"{_ROUNDING}:angular_velocity_size",
        relation=(3, 4, 5),
    ),
    Signal(
        "angular acceleration",
        "frames",
        f"{_CURVES}:relative_vector",
        frames=_RELATIVE,
        dimension="angular acceleration",
        unit="deg/s²",
        symbol="α",
        order=6,
        resolved_in="itself",
        is_offered_in_world=True,
        has_rate=True,
        rounding=f"{_ROUNDING}:angular_acceleration_size",
        relation=(9, 10, 11),
    ),
    Signal(
        "angles",
        "frames",
        f"{_CURVES}:angles",
        frames=("relative_to",),
        has_sequence=True,
        dimension="angle",
        unit="deg",
        components=Components(ANGLES, ANGLES, ANGLES),
        order=2,
        rounding=f"{_ROUNDING}:unit_size",
        subtitle="{relation}, {sequence} about moving axes",
        rule="continuous angles, {continuous_rule}",
        styles=f"{_STYLES}:angle_styles",
    ),
    Signal(
        "angle rates",
        "frames",
        f"{_CURVES}:angle_rates",
        frames=("relative_to",),
        has_sequence=True,
        dimension="angular velocity",
        unit="deg/s",
        components=listed("rate 1", "rate 2", "rate 3"),
        order=9,
        has_rate=True,
        rounding=f"{_ROUNDING}:angular_velocity_size",
        subtitle="{relation}, {sequence} about moving axes",
        rule="rates of the continuous angles, {continuous_rule}",
        styles=f"{_STYLES}:rate_styles",
        view_limit=f"{_LIMITS}:largest_rate_in_view",
    ),
    Signal(
        "singularity",
        "frames",
        f"{_CURVES}:gimbal_lock_measure",
        frames=("relative_to",),
        has_sequence=True,
        components=listed("singularity"),
        order=10,
        rounding=f"{_ROUNDING}:unit_size",
        subtitle="{relation}, {sequence}; 1 is the lock",
        decimals=4,
        styles=f"{_STYLES}:singularity_styles",
    ),
    Signal(
        "condition number",
        "frames",
        f"{_CURVES}:condition_number",
        frames=("relative_to",),
        has_sequence=True,
        components=listed("condition number"),
        order=11,
        subtitle="{relation}, {sequence}: of the map from ω to the rates of the angles",
        decimals=2,
        styles=f"{_STYLES}:condition_styles",
        view_limit=f"{_LIMITS}:condition_in_view",
    ),
    Signal(
        "quaternion",
        "frames",
        f"{_CURVES}:quaternion",
        frames=("relative_to",),
        components=listed(*XYZ, "w"),
        order=7,
        rounding=f"{_ROUNDING}:unit_size",
        subtitle="{relative_to} into {of}",
        decimals=4,
        rule="{sign_rule}",
        styles=f"{_STYLES}:quaternion_styles",
    ),
    Signal(
        "residues",
        "frames",
        f"{_CURVES}:residues_in_parent",
        is_in_parent=True,
        requires=f"{_SCHEMA}:refuse_world",
        components=listed(*RESIDUE_NAMES),
        order=8,
        title="Six residues",
        subtitle="{of} in {relative_to}{integration}",
        decimals=1,
        styles=f"{_STYLES}:residue_styles",
    ),
    Signal(
        "sensor",
        "sensors",
        f"{_CURVES}:sensor_values",
        components=f"{_SCHEMA}:sensor_components",
        styles="",
    ),
    Signal(
        "measured",
        "measured",
        f"{_CURVES}:measured_and_computed",
        components=Components(_MEASURED, (*_MEASURED, *(f"norm {side}" for side in SIDES))),
        order=1,
        title="Measured {quantity}",
        subtitle="{of}: {pair}, in axes of {where}",
        styles=f"{_STYLES}:measured_styles",
    ),
    Signal(
        "port force",
        "points",
        f"{_CURVES}:port_force",
        dimension="force",
        unit="N",
        symbol="F",
        components=f"{_SCHEMA}:point_components",
        order=1,
        subtitle=f"{{of}} on {{body}}, {_ALONG_WORLD}",
    ),
    Signal(
        "port velocity",
        "points",
        f"{_CURVES}:port_velocity",
        dimension="velocity",
        unit="m/s",
        symbol="v",
        components=f"{_SCHEMA}:point_components",
        order=2,
        subtitle="{of} relative to world, along its axes",
    ),
    Signal(
        "port displacement",
        "points",
        f"{_CURVES}:port_displacement",
        dimension="length",
        unit="m",
        symbol="x",
        components=f"{_SCHEMA}:point_components",
        order=3,
        subtitle=f"{{of}} from rest, {_ALONG_WORLD}",
    ),
    Signal(
        "element force",
        "elements",
        f"{_CURVES}:element_force",
        dimension="force",
        unit="N",
        symbol="F",
        components=f"{_SCHEMA}:element_components",
        order=1,
        subtitle=f"{{of}} {{element}}, {_ALONG_WORLD}",
    ),
    Signal(
        "energy",
        "",
        f"{_CURVES}:energy",
        dimension="energy",
        unit="J",
        components=listed(*ENERGIES),
        order=1,
        subtitle=f"{_ALL_BODIES}; work is that of sources since the start",
        styles=f"{_STYLES}:energy_styles",
    ),
    Signal(
        "linear momentum",
        "",
        f"{_CURVES}:linear_momentum",
        dimension="linear momentum",
        unit="N s",
        symbol="p",
        order=2,
        subtitle=f"{_ALL_BODIES}, {_ALONG_WORLD}",
    ),
    Signal(
        "angular momentum",
        "",
        f"{_CURVES}:angular_momentum",
        dimension="angular momentum",
        unit="N m s",
        symbol="L",
        order=3,
        subtitle=f"{_ALL_BODIES}, about the origin of world, {_ALONG_WORLD}",
    ),
    Signal(
        "constraint error",
        "elements",
        f"{_CURVES}:constraint_error",
        requires=f"{_SCHEMA}:refuse_unconstrained",
        dimension="length",
        unit="m",
        symbol="Δ",
        components=f"{_SCHEMA}:element_components",
        order=2,
        subtitle=f"{{of}}, how far it is missed, {_ALONG_WORLD}",
    ),
    Signal(
        "rotation angle",
        "frames",
        f"{_CURVES}:of_relation",
        frames=("relative_to",),
        dimension="angle",
        unit="deg",
        symbol="θ",
        components=listed("rotation angle"),
        order=12,
        rounding=f"{_ROUNDING}:unit_size",
        formula=f"{_ANGLE_KERNELS}:rotation_angle",
        subtitle="{relation}, about the axis of the whole rotation",
    ),
    # Users choose pairs of axes: z to z for the tilt of a tool against a table, all nine for direction cosines. The
    # name "axis angle" would mean a representation of rotations.
    Signal(
        "angle between axes",
        "frames",
        f"{_CURVES}:of_relation",
        frames=("relative_to",),
        dimension="angle",
        unit="deg",
        symbol="∠",
        components=Components(tuple(f"{axis} to {axis}" for axis in XYZ), _AXIS_PAIRS, computed=_AXIS_PAIRS),
        order=13,
        rounding=f"{_ROUNDING}:unit_size",
        formula=f"{_ANGLE_KERNELS}:angles_between_axes",
        subtitle="axes of {of} to axes of {relative_to}",
        styles=f"{_STYLES}:axis_pair_styles",
    ),
    Signal(
        "principal angles",
        "frames",
        f"{_CURVES}:of_relation",
        frames=("relative_to",),
        has_sequence=True,
        dimension="angle",
        unit="deg",
        components=listed(*ANGLES),
        order=16,
        rounding=f"{_ROUNDING}:unit_size",
        formula=f"{_BRANCHES}:branch_1",
        subtitle="{relation}, {sequence} about moving axes",
        rule="branch 1, as most programs print it: angle 2 {principal_range}; the angles jump",
        styles=f"{_STYLES}:angle_styles",
    ),
    Signal(
        "branch 2 angles",
        "frames",
        f"{_CURVES}:of_relation",
        frames=("relative_to",),
        has_sequence=True,
        dimension="angle",
        unit="deg",
        components=listed(*ANGLES),
        order=17,
        rounding=f"{_ROUNDING}:unit_size",
        formula=f"{_BRANCHES}:branch_2",
        subtitle="{relation}, {sequence} about moving axes",
        rule="the other set of angles of the same rotation; the angles jump",
        styles=f"{_STYLES}:angle_styles",
    ),
    Signal(
        "range rate",
        "frames",
        f"{_CURVES}:of_relation",
        frames=("relative_to",),
        dimension="velocity",
        unit="m/s",
        symbol="ṙ",
        components=listed("range rate"),
        order=14,
        is_offered_in_world=True,
        has_rate=True,
        rounding=f"{_ROUNDING}:velocity_size",
        formula=f"{_SIGHT_KERNELS}:range_rate",
        subtitle="{relation}, of the distance between the origins",
    ),
    Signal(
        "specific force",
        "frames",
        f"{_CURVES}:specific_force",
        frames=("resolved_in",),
        dimension="acceleration",
        unit="m/s²",
        symbol="f",
        order=15,
        resolved_in="itself",
        has_rate=True,
        rounding=f"{_ROUNDING}:specific_force_size",
        subtitle="{of}, acceleration less gravity, in axes of {resolved_in}",
    ),
    *(
        Signal(
            f"direction of {axis}",
            "frames",
            f"{_CURVES}:of_relation",
            frames=("relative_to",),
            components=listed(*XYZ),
            order=18 + i,
            rounding=f"{_ROUNDING}:unit_size",
            formula=f"{_AXIS_KERNELS}:direction_of_{axis}",
            subtitle="{of}: unit vector along its axis, in axes of {relative_to}",
            decimals=4,
        )
        for i, axis in enumerate(XYZ)
    ),
    Signal(
        "pixel",
        "frames",
        f"{_CAMERAS}:pixel_of_frame",
        frames=("relative_to",),
        references=f"{_SCHEMA}:frames_with_cameras",
        requires_reference=f"{_SCHEMA}:refuse_without_camera",
        dimension="place in an image",
        unit="px",
        components=listed("u", "v"),
        order=21,
        title="Pixel",
        subtitle="{of} in the image of {relative_to}, from its upper left pixel",
        decimals=1,
        styles=f"{_STYLES}:pixel_styles",
    ),
    Signal(
        "port pixel",
        "points",
        f"{_CAMERAS}:pixel_of_point",
        frames=("relative_to",),
        references=f"{_SCHEMA}:frames_with_cameras",
        requires_reference=f"{_SCHEMA}:refuse_without_camera",
        dimension="place in an image",
        unit="px",
        components=listed("u", "v"),
        order=4,
        title="Pixel",
        subtitle="{of} in the image of {relative_to}, from its upper left pixel",
        decimals=1,
        styles=f"{_STYLES}:pixel_styles",
    ),
)

SIGNALS: dict[str, Signal] = {signal.name: signal for signal in _TABLE}
"""Signals of the base, by name. Schema and error messages list them in this order."""

ANGLE_SIGNALS = tuple(signal.name for signal in _TABLE if signal.has_sequence and signal.dimension == "angle")
"""Signals that are the three angles of an axis sequence."""

AXIS_DIRECTIONS = tuple(f"direction of {axis}" for axis in XYZ)
"""Signals that are the directions of the axes of a frame, x first."""


def all_signals() -> Mapping[str, Signal]:
    """Return the signals of the base and of all features, by name.

    >>> [signal.name for signal in all_signals().values() if signal.item == "elements"]
    ['element force', 'constraint error']
    """
    return {**SIGNALS, **signals_of_features()}


@cache
def signals_of_features() -> Mapping[str, Signal]:
    """Return the signals that features add, by name."""
    return {signal.name: signal for signal in entries(lambda feature: feature.signals)}


def signal_named(name: str) -> Signal:
    """Return the record of a kind of signal.

    >>> signal_named("velocity").symbol
    'v'
    """
    return SIGNALS.get(name) or all_signals()[name]


def signals_of(item: ItemOfSignal) -> tuple[Signal, ...]:
    """Return the signals that the question bar offers for a kind of item, the most useful first.

    >>> [signal.name for signal in signals_of("points")]
    ['port force', 'port velocity', 'port displacement', 'port pixel']
    """
    offers = [signal for signal in all_signals().values() if signal.item == item and signal.order is not None]
    return tuple(sorted(offers, key=lambda signal: signal.order or 0))


def formula_of(kind: Signal, sequence: str = "") -> Any:
    """Return the kernel of a signal that has a formula; that of a signal with a sequence is the one for this sequence.

    >>> list(formula_of(signal_named("principal angles"), "ZYX").arguments)
    ['T']
    """
    formula = load_entry(kind.formula)
    return formula(as_sequence(sequence)) if kind.has_sequence else formula


class _SignalName:
    """Validation of the name of a signal against the table, with the errors and the JSON schema of a literal.

    A `Literal` would repeat the names of the table. Each validation reads the table, so that signals of features are
    valid.
    """

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(_check_name)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"enum": list(all_signals()), "type": "string"}


def _check_name(value: object) -> object:
    if isinstance(value, str) and (value in SIGNALS or value in all_signals()):
        return value
    *names, last = (f"'{name}'" for name in all_signals())
    raise PydanticKnownError("literal_error", {"expected": f"{', '.join(names)} or {last}"})


SignalKind = Annotated[str, _SignalName()]
"""Name of a kind of signal."""
