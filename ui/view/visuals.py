"""All visuals of the scene, in the order they are drawn."""

from __future__ import annotations

from collections.abc import Callable

from framescope.ui.view.arcs import Arcs
from framescope.ui.view.arrow_scales import ArrowScales
from framescope.ui.view.bodies import Bodies
from framescope.ui.view.candidates import Candidates
from framescope.ui.view.claims import Claims
from framescope.ui.view.context import ViewContext, Visual
from framescope.ui.view.elements import Elements
from framescope.ui.view.example_vector import ExampleVector
from framescope.ui.view.fault_marks import FaultMarks
from framescope.ui.view.force_arrows import ForceArrows
from framescope.ui.view.grid import Grid
from framescope.ui.view.labels import Labels
from framescope.ui.view.letters import AxisLetters
from framescope.ui.view.links import Links
from framescope.ui.view.manipulator import Manipulator
from framescope.ui.view.measuring import MeasuringLine
from framescope.ui.view.overlay import Overlay
from framescope.ui.view.points import Points
from framescope.ui.view.rings import Rings
from framescope.ui.view.selection import Hovered, Selection
from framescope.ui.view.sensor_arrows import SensorArrows
from framescope.ui.view.shift_arrows import ShiftArrows
from framescope.ui.view.stages import Stages
from framescope.ui.view.stepped import Stepped
from framescope.ui.view.trails import Trails
from framescope.ui.view.triads import Triads
from framescope.ui.view.view_cube import ViewCube

VISUALS: tuple[Callable[[ViewContext], Visual], ...] = (
    Grid,
    Links,
    Hovered,
    Selection,
    Rings,
    Bodies,
    Elements,
    Points,
    Triads,
    Claims,
    FaultMarks,
    ForceArrows,
    SensorArrows,
    Trails,
    Arcs,
    Stages,
    Candidates,
    ExampleVector,
    Stepped,
    AxisLetters,
    MeasuringLine,
    ShiftArrows,
    Labels,
    Manipulator,
    ViewCube,
    ArrowScales,
    Overlay,
)
"""In the order they are drawn, which matters where things are translucent or lie in the overlay."""


def make_visuals(context: ViewContext) -> list[Visual]:
    """Return the visuals of a scene."""
    return [visual(context) for visual in VISUALS]
