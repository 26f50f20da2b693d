"""What the terms of a shift are, in words, with their formulas."""

from __future__ import annotations

from framescope.core.analysis.shifts import ShiftKey

QUANTITIES = ("velocity", "acceleration", "force")


def words_of(symbol: str, key: ShiftKey) -> str:
    """Say in a few words what a term is.

    >>> words_of("v₀", ShiftKey("wheel")), words_of("v_rel", ShiftKey("wheel", other="bug"))
    ('of its origin', 'of bug, seen from wheel')
    """
    match symbol:
        case "v₀" | "a₀":
            return f"of the origin of {key.frame}" if key.other else "of its origin"
        case "ω×r":
            return "by turning"
        case "b×r":
            return "by turning faster"
        case "ω×(ω×r)":
            return "to the axis"
        case "2ω×v_rel":
            return "Coriolis"
        case "v_rel" | "a_rel":
            return f"of {key.other}, seen from {key.frame}"
        case "f":
            return "the same at both places"
        case "r×f":
            return f"about the origin of {key.about}" if key.about else "about its origin"
        case _:
            return ""


def formula_of(key: ShiftKey) -> str:
    """Return the formula of the sum.

    >>> formula_of(ShiftKey("wheel")), formula_of(ShiftKey("wheel", "force"))
    ('v = v₀ + ω×r', 'M = r×f')
    """
    match key.quantity:
        case "velocity":
            return "v = v₀ + ω×r" + (" + v_rel" if key.other else "")
        case "acceleration":
            return "a = a₀ + b×r + ω×(ω×r)" + (" + 2ω×v_rel + a_rel" if key.other else "")
        case _:
            return "M = r×f"


def model_words_of(key: ShiftKey) -> str:
    """Say what the small-angle model has in place of the sum."""
    match key.quantity:
        case "velocity":
            return "v₀ + θ′×r, the lever does not turn"
        case "acceleration":
            return "a₀ + θ″×r, nothing to the axis"
        case _:
            return "r×f, the lever does not turn"
