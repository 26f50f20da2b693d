"""Kinds of elements between connection points: their titles and initial values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from framescope.core.scene.schema import points
from framescope.core.scene.schema.kinds.registry import Kind, Kinds, M


@dataclass(frozen=True, kw_only=True)
class ElementKind(Kind[M]):
    """Properties of a kind of element.

    Attributes
    ----------
    titles
        Entries in the menu for new elements of this kind, by the name of the element in the scene.
    offers
        Initial values of a new element from the menu, by the name of the element; the default is `start`. A `signal`
        for one direction is repeated for three.
    is_constraint
        Whether the element prescribes the motion of a point with whatever force is necessary. Its error can then be
        plotted.
    """

    titles: Mapping[str, str]
    offers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    is_constraint: bool = False


ELEMENT_KINDS: Kinds[ElementKind[Any]] = Kinds(
    ElementKind(
        model=points.SpringElement,
        icon="link",
        titles={"spring": "Spring and damper", "damper": "Damper"},
        offers={"damper": {"damping": "10 N s/m"}},
        start={"stiffness": "100 N/m", "damping": "1 N s/m"},
    ),
    ElementKind(
        model=points.ForceElement,
        icon="corner-down-right",
        titles={"force": "Force source"},
        offers={"force": {"signal": 0.0, "unit": "N"}},
        start={"signal": 1, "unit": "N"},
    ),
    ElementKind(
        model=points.VelocityElement,
        icon="gauge",
        titles={"velocity": "Velocity source"},
        start={"signal": 0.0, "unit": "m/s"},
        is_constraint=True,
    ),
)
