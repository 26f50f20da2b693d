"""All visuals of the scene, in the order they are drawn."""

from __future__ import annotations

from framescope.core.evaluation.evaluate import Plan
from framescope.features.robots.ui.joint_velocities import JointVelocities
from framescope.features.shift.ui.shift_arrows import ShiftArrows
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
from framescope.ui.scene_view.visuals.manipulator import Manipulator
from framescope.ui.scene_view.visuals.measure_line import MeasuringLine
from framescope.ui.scene_view.visuals.measured_ghosts import MeasuredGhosts
from framescope.ui.scene_view.visuals.notes import Notes
from framescope.ui.scene_view.visuals.parent_links import Links
from framescope.ui.scene_view.visuals.points import Points
from framescope.ui.scene_view.visuals.problem_tints import ProblemTints
from framescope.ui.scene_view.visuals.selection import Hovered, Selection
from framescope.ui.scene_view.visuals.sensor_arrows import SensorArrows
from framescope.ui.scene_view.visuals.staged_rotation import StagedTurns
from framescope.ui.scene_view.visuals.stale_frames import StaleFramesVisual
from framescope.ui.scene_view.visuals.trails import Trails
from framescope.ui.scene_view.visuals.triads import Triads
from framescope.ui.scene_view.visuals.view_cube import ViewCube

VISUALS: tuple[type[Visual], ...] = (
    Grid,
    Links,
    Hovered,
    Selection,
    Rings,
    Bodies,
    Elements,
    Points,
    Triads,
    StaleFramesVisual,
    MeasuredGhosts,
    ProblemTints,
    ForceArrows,
    SensorArrows,
    JointVelocities,
    Trails,
    Arcs,
    IntermediateFrames,
    Candidates,
    ExampleVector,
    StagedTurns,
    AxisLetters,
    MeasuringLine,
    ShiftArrows,
    Notes,
    Labels,
    Manipulator,
    ViewCube,
    ArrowScales,
    Overlay,
)
"""In the order they are drawn, which matters where things are translucent or lie in the overlay."""


def make_visuals(context: ViewContext) -> list[Visual]:
    """Return the visuals that a scene has something for."""
    made = [visual(context) for visual in VISUALS]
    return [visual for visual in made if visual.works_unseen or visual.scene_actors or visual.overlay_actors]


def look_key(plan: Plan) -> tuple[object, ...]:
    """Return what of a plan decides on the actors of its picture; a plan with the same differs in numbers alone."""
    drawn = (visual.look_key(plan) for visual in VISUALS)
    return plan.names, plan.tree.parents.tobytes(), plan.scene.view, *drawn


def looks_alike(old: Plan, new: Plan) -> bool:
    """Whether two plans are drawn by the same visuals."""
    return look_key(old) == look_key(new)
