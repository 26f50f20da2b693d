"""All visuals of the scene in drawing order."""

from __future__ import annotations

from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.view import View
from framescope.core.system.features import installed_features, put_after
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.visuals.angle_arcs import Arcs
from framescope.ui.scene_view.visuals.arrow_legend import ArrowScales
from framescope.ui.scene_view.visuals.axis_letters import AxisLetters
from framescope.ui.scene_view.visuals.bodies import Bodies
from framescope.ui.scene_view.visuals.corner_overlay import Overlay
from framescope.ui.scene_view.visuals.elements import Elements
from framescope.ui.scene_view.visuals.example_vector import ExampleVector
from framescope.ui.scene_view.visuals.finding_ghosts import Candidates
from framescope.ui.scene_view.visuals.force_arrows import ForceArrows
from framescope.ui.scene_view.visuals.frame_names import Labels
from framescope.ui.scene_view.visuals.gimbal_rings import Rings
from framescope.ui.scene_view.visuals.grid import Grid
from framescope.ui.scene_view.visuals.intermediate_frames import IntermediateFrames
from framescope.ui.scene_view.visuals.lit_line import LitLine
from framescope.ui.scene_view.visuals.manipulator import Manipulator
from framescope.ui.scene_view.visuals.measure_line import MeasuringLine
from framescope.ui.scene_view.visuals.measured_ghosts import MeasuredGhosts
from framescope.ui.scene_view.visuals.notes import Notes
from framescope.ui.scene_view.visuals.parent_links import Links
from framescope.ui.scene_view.visuals.points import Points
from framescope.ui.scene_view.visuals.problem_tints import ProblemTints
from framescope.ui.scene_view.visuals.selected_axes import SelectedAxes
from framescope.ui.scene_view.visuals.selection import AlsoSelected, Hovered, Selection
from framescope.ui.scene_view.visuals.sensor_arrows import SensorArrows
from framescope.ui.scene_view.visuals.staged_rotation import StagedTurns
from framescope.ui.scene_view.visuals.stale_frames import StaleFramesVisual
from framescope.ui.scene_view.visuals.trails import Trails
from framescope.ui.scene_view.visuals.triads import Triads
from framescope.ui.scene_view.visuals.view_cube import ViewCube

BASE: tuple[type[Visual], ...] = (
    Grid,
    Links,
    Hovered,
    AlsoSelected,
    Selection,
    Rings,
    Bodies,
    Elements,
    Points,
    Triads,
    SelectedAxes,
    StaleFramesVisual,
    MeasuredGhosts,
    ProblemTints,
    ForceArrows,
    SensorArrows,
    Trails,
    Arcs,
    IntermediateFrames,
    Candidates,
    ExampleVector,
    StagedTurns,
    MeasuringLine,
    Notes,
    Labels,
    AxisLetters,
    LitLine,
    Manipulator,
    ViewCube,
    ArrowScales,
    Overlay,
)
"""Visuals of the base in drawing order."""


def _all_visuals() -> tuple[type[Visual], ...]:
    additions: list[tuple[type[Visual], str]] = [
        (feature.load(entry), before) for feature in installed_features() for entry, before in feature.visuals
    ]
    by_name = {visual.__name__: visual for visual in (*BASE, *(visual for visual, _ in additions))}
    names = put_after((visual.__name__ for visual in BASE), ((visual.__name__, before) for visual, before in additions))
    return tuple(by_name[name] for name in names)


VISUALS = _all_visuals()
"""Visuals of base and features. The order matters for translucent objects and in the overlay."""


def make_visuals(context: ViewContext) -> list[Visual]:
    """Create the visuals, and return those with actors or with work while hidden."""
    visuals = [visual(context) for visual in VISUALS]
    return [visual for visual in visuals if visual.works_unseen or visual.scene_actors or visual.overlay_actors]


_DRAWN = tuple(name for name in View.model_fields if name not in ("plots", "answers"))
"""Fields of the view that the picture shows. A new curve or number makes nothing anew, and no name hops."""


def look_key(plan: Plan) -> tuple[object, ...]:
    """Return the parts of a plan that require new actors when they change; numbers such as poses do not."""
    keys = (visual.look_key(plan) for visual in VISUALS)
    view = plan.scene.view
    return plan.names, plan.tree.parents.tobytes(), tuple(getattr(view, name) for name in _DRAWN), *keys


def looks_alike(old: Plan, new: Plan) -> bool:
    """Return whether two plans can be drawn with the same actors."""
    return look_key(old) == look_key(new)
