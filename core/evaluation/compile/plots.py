"""Compiled plots: checked plots of a scene, with everything that their curves need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from framescope.core.errors import ItemError, NoSuchNameError, did_you_mean
from framescope.core.evaluation.compile.orientations import no_sequence
from framescope.core.kernels.validation import as_sequence
from framescope.core.scene.schema.model import ITEM_WORDS, Scene
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.scene.schema.signal_kinds import Signal, SignalKind, signal_named
from framescope.core.scene.schema.signals import components_of, may_share, problem_of, reference_problem
from framescope.core.scene.schema.view import Answer, AnswerForm, Plot, PlottedSignal


@dataclass(frozen=True)
class CompiledPlot:
    """A checked signal with all that its values depend on; `factor` is the size of its unit in SI units.

    Fields that a kind of signal does not use are empty. `components` are the names of the curves to show; empty: all
    except magnitudes. `wrapped` are the angles to wrap into half a turn. With a `delay`, s, the frame has an earlier
    pose, seen `through` a fixed frame. `also` are further signals of the same plot.
    """

    signal: SignalKind
    of: str
    relative_to: str
    resolved_in: str
    unit: str
    factor: float
    sequence: str = ""
    components: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()
    title: str = ""
    through: str = ""
    delay: float = 0.0
    also: tuple[CompiledPlot, ...] = ()

    @property
    def signals(self) -> tuple[CompiledPlot, ...]:
        """The signal itself, and the others in the same plot."""
        return (self, *self.also)


@dataclass(frozen=True)
class CompiledAnswer:
    """A signal that a card in the picture shows, as a number or a sentence."""

    signal: CompiledPlot
    form: AnswerForm


def compile_answer(answer: Answer, scene: Scene, index: Mapping[str, int]) -> CompiledAnswer:
    """Check the signal of a card; raises as `compile_plot`."""
    return CompiledAnswer(compile_plot(answer, scene, index), answer.form)


def compile_plot(plot: PlottedSignal, scene: Scene, index: Mapping[str, int]) -> CompiledPlot:
    """Check a plot and return its signal.

    Raises
    ------
    ItemError
        When a key is missing, names a missing item, or is not used by this kind of signal.
    """
    compiled = _compile_signal(plot, scene, index)
    if not isinstance(plot, Plot):
        return compiled
    return replace(compiled, title=plot.title or "", also=tuple(_compile_also(plot, scene, index)))


def _compile_signal(plot: PlottedSignal, scene: Scene, index: Mapping[str, int]) -> CompiledPlot:
    kind = signal_named(plot.signal)
    _check_keys(plot, kind)
    of = plot.of or ""
    if kind.item:
        _require(kind.item, of, scene, index)
    for key in kind.frames:
        name = getattr(plot, key)
        if name not in index:
            raise NoSuchNameError((key,), "frame", name, index)
    relative_to = plot.relative_to or ""
    problem = problem_of(kind, scene, of) or reference_problem(kind, scene, relative_to)
    if problem is not None:
        raise problem
    if kind.is_in_parent:
        relative_to = scene.frames[of].parent
    factor = unit_factor(plot.unit, kind.dimension, ("unit",)) if kind.dimension else 1.0
    known_components = components_of(plot, scene)
    checks = (
        ("components", plot.components or (), known_components.every),
        ("wrapped", plot.wrapped, known_components.angles),
    )
    for key, names, known in checks:
        for i, name in enumerate(names):
            if name not in known:
                hint = did_you_mean(name, known) or f"Remove {key}."
                raise ItemError((key, i), f'{plot.signal} has no component "{name}" here.', hint)
    components = () if plot.components == known_components.usual else plot.components or ()
    resolved_in, unit, sequence = plot.resolved_in or "", plot.unit or "", plot.sequence or ""
    about = plot.signal, of, relative_to, resolved_in
    through, delay = _delay_of(plot, kind, index)
    shown_as = sequence, components, plot.wrapped
    return CompiledPlot(*about, unit, factor, *shown_as, through=through, delay=delay)


def _delay_of(plot: PlottedSignal, kind: Signal, index: Mapping[str, int]) -> tuple[str, float]:
    """Return the frame through which the earlier pose is seen, and the delay, s; empty and 0 without a delay."""
    if plot.delay is None and plot.through is None:
        return "", 0.0
    if "relative_to" not in kind.frames:
        raise ItemError(("delay",), f"{plot.signal} takes no delay.", "Remove delay and through.")
    if plot.through is None:
        raise ItemError(("through",), "a delay needs a frame to look through.", "Name one that is fixed meanwhile.")
    if plot.delay is None:
        raise ItemError(("delay",), "to look through a frame needs a delay.", "Add one, such as 0.2 s.")
    if plot.through not in index:
        raise NoSuchNameError(("through",), "frame", plot.through, index)
    return plot.through, plot.delay.si("time", ("delay",))


def _compile_also(plot: Plot, scene: Scene, index: Mapping[str, int]) -> Iterator[CompiledPlot]:
    for i, signal in enumerate(plot.also):
        if not may_share(plot, signal):
            message = f"{signal.signal} cannot be in a plot of {plot.signal}."
            raise ItemError(("also", i), message, "Give it a plot of its own.")
        if signal.unit != plot.unit:
            message = f"a plot has one unit, and this one is in {plot.unit}."
            raise ItemError(("also", i, "unit"), message, f"Use {plot.unit}.")
        try:
            yield _compile_signal(signal, scene, index)
        except ItemError as problem:
            place = ("also", i, *problem.key_path)
            raise ItemError(place, problem.message, problem.hint, meant=problem.meant) from None


def _check_keys(plot: PlottedSignal, kind: Signal) -> None:
    """Raise `ItemError` if a plot lacks a key that its kind needs, or has a key that its kind does not use."""
    needed: set[str] = {*kind.frames, *(["of"] if kind.item else []), *(["sequence"] if kind.has_sequence else [])}
    allowed: set[str] = {*needed, *(["unit"] if kind.dimension else [])}
    for key in ("of", "relative_to", "resolved_in", "sequence", "unit"):
        is_given = getattr(plot, key) is not None
        if is_given and key not in allowed:
            raise ItemError((key,), f"{plot.signal} takes no {key}.", f"Remove {key}.")
        if not is_given and key in needed:
            raise ItemError((key,), f"{plot.signal} needs {key}.", _hint_for(kind, key))
    if kind.has_sequence:
        try:
            as_sequence(plot.sequence or "")
        except ValueError:
            raise no_sequence(plot.sequence, ("sequence",)) from None


def _require(kind: str, name: str, scene: Scene, index: Mapping[str, int]) -> None:
    known = index if kind == "frames" else getattr(scene, kind)
    if name not in known:
        raise NoSuchNameError(("of",), ITEM_WORDS[kind], name, known)


def _hint_for(kind: Signal, key: str) -> str:
    if key == "sequence":
        return "Name three axes, such as ZYX."
    if key in kind.frames or kind.item == "frames":
        return "Name a frame, such as world."
    return f"Name one of the scene's {kind.item}."
