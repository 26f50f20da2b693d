"""What the visuals are built from, and what they are shown each tick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.compile.instruments import CompiledClaim, CompiledSensor
from framescope.core.evaluation.compile.view_data import ViewBody, ViewData
from framescope.core.evaluation.evaluate import Plan
from framescope.core.sensors import AbsoluteSensor
from framescope.core.simulation.system import Spring, System
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.ghost_pose import Candidate
from framescope.ui.scene_view.base.label_layout import OccupiedAreas
from framescope.ui.scene_view.base.problem_marks import FaultMark
from framescope.ui.scene_view.base.shift_look import DrawnShift
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.instanced_mesh import LinearMesh
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.theme.tokens import Theme
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Decorations:
    """Which parts of the picture are drawn besides the scene itself."""

    title_bar: bool = False
    """A strip with title and clock, a legend and the source line, for videos and pictures."""
    view_cube: bool = True
    grid: bool = True
    ground: bool = True
    """The two blending colours behind everything; without them it is one."""
    corners: bool = True
    """The texts in the corners of the picture."""
    tools: bool = True
    """Whether the upper right corner is left to the buttons of the window."""
    title: bool = True
    clock: bool = True
    """Of the texts in the corners, the title with the note on the grid, and the clock."""
    lecture: bool = False
    """A large title and a large clock, in the two upper corners, to be read from the last row."""


WINDOW = Decorations()
VIDEO = Decorations(title_bar=True, view_cube=False, tools=False)
BARE = Decorations(view_cube=False, grid=False, ground=False, corners=False, tools=False)
"""The scene alone."""


@dataclass(frozen=True, eq=False)
class ViewContext:
    """A compiled scene, a theme and a scale: all that a visual may depend on for as long as it lives.

    Visuals take what varies with time from the tick, never from `plan`: an edit that moves things
    but looks the same keeps the visuals and changes only the plan of the ticks.
    """

    plan: Plan
    theme: Theme
    scale: float
    sheet: SpriteSheet
    decorations: Decorations = field(default=WINDOW)
    has_gpu: bool = False
    """Whether a graphics card draws, and not the processor: how much detail can be afforded."""
    occupied: OccupiedAreas = field(default_factory=OccupiedAreas)
    """What of the present picture is taken, told anew in `Visual.occupy`."""
    staged_rotation: StagedRotation | None = None
    """The rotation that is shown turn by turn, if any: which frame, and in which sequence."""
    angles: AngleUnit = DEG
    """What angles and their rates are written in."""
    marks: tuple[FaultMark, ...] = ()
    """What is wrong with items of the scene, where it is to be seen."""
    candidates: tuple[Candidate, ...] = ()
    """What the convention detective has found, where it is looked at."""
    shift: DrawnShift | None = None
    """What is shown to be shifted, and to which point, if anything."""
    magnification: float = 1.0
    """How much larger than usual `scale` is: in a presentation."""

    @property
    def view_data(self) -> ViewData:
        """What is drawn, in SI units and by frame row."""
        return self.plan.view_data

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the frames by row, world first."""
        return self.plan.names

    @property
    def staged_frame(self) -> str:
        """The frame that is shown turn by turn; empty when none is."""
        return "" if self.staged_rotation is None else self.staged_rotation.frame

    def px(self, logical: float) -> float:
        """Return logical pixels as device pixels."""
        return logical * self.scale

    def px_of_tools(self, logical: float) -> float:
        """Return the same for what a hand uses, which is no larger in a presentation."""
        return logical * self.scale / self.magnification


@dataclass(frozen=True, eq=False)
class Tick:
    """One moment: the snapshot (of a scalar time), the plan for authored angles, and the trails."""

    snapshot: Snapshot
    plan: Plan
    trails: Mapping[str, Array]
    staged_rotation: StagedRotation | None = None
    """How far the frame that is shown turn by turn has come."""


class Visual:
    """Base of the visuals: one kind of thing in the picture, with its actors.

    `scene_actors` stand in the scene, `overlay_actors` in the picture plane, in pixels. Nothing here
    renders; whoever owns the window does that, once per tick.
    """

    def __init__(self) -> None:
        self.scene_actors: list[vtkActor] = []
        self.overlay_actors: list[vtkActor] = []

    def show(self, tick: Tick) -> None:
        """Take the poses of a tick, in place."""

    def occupy(self, projection: Projection) -> None:
        """Tell `ViewContext.occupied` what names and values have to keep off; before any visual is placed."""

    def place(self, projection: Projection) -> None:
        """Place what depends on the camera or on the size of the picture."""

    def reach_W(self) -> tuple[Array, ...]:
        """Return points ``(n, 3)`` in world that a picture of everything holds, besides frames and bodies; or NaN."""
        return ()

    def items(self) -> Iterator[tuple[LinearMesh, Sequence[str]]]:
        """Yield the meshes of many items, with a name for each: what an animation is made of elsewhere."""
        yield from ()

    def select(self, name: str | None) -> None:
        """Mark a frame as selected."""


def looks_alike(old: Plan, new: Plan) -> bool:
    """Whether two plans are drawn by the same visuals, so that only their numbers differ."""
    return (
        old.names == new.names
        and np.array_equal(old.tree.parents, new.tree.parents)
        and old.scene.view == new.scene.view
        and old.scene.bodies == new.scene.bodies
        and [*map(_look_of, old.view_data.bodies)] == [*map(_look_of, new.view_data.bodies)]
        and (old.scene.title, old.scene.source) == (new.scene.title, new.scene.source)
        and old.view_data.rings == new.view_data.rings
        and [*map(_look_of_sensor, old.instruments.sensors.values())]
        == [*map(_look_of_sensor, new.instruments.sensors.values())]
        and [*map(_look_of_claim, old.instruments.claims.values())]
        == [*map(_look_of_claim, new.instruments.claims.values())]
        and look_of_system(system_of(old)) == look_of_system(system_of(new))
        and old.view_data.arcs == new.view_data.arcs
        and old.view_data.intermediate_frames == new.view_data.intermediate_frames
    )


def _look_of(body: ViewBody) -> tuple[object, ...]:
    """Return what may differ between bodies that are authored alike: a file that may be read now, an offset."""
    return body.name, body.i_frame, body.file, body.R_FB.tobytes(), body.p_FB.tobytes()


def _look_of_sensor(compiled: CompiledSensor) -> tuple[object, ...]:
    """Return which arrows are drawn, where, and their scale, which the picture tells."""
    sensor = compiled.sensor
    is_on = sensor.get_r if isinstance(sensor, AbsoluteSensor) else sensor.get_r_rel
    return compiled.name, compiled.at, compiled.seen_from, tuple(compiled.arrows.items()), is_on and sensor.animation


def _look_of_claim(compiled: CompiledClaim) -> tuple[object, ...]:
    return compiled.name, compiled.of, compiled.pose is None


def system_of(plan: Plan) -> System | None:
    """Return the bodies, points and elements of a scene as they are simulated; None when nothing is."""
    if plan.instruments.simulation is not None:
        return plan.instruments.simulation.system
    return plan.pending[0].system if plan.pending else None


def look_of_system(system: System | None) -> tuple[object, ...] | None:
    """Return what of points and elements decides on their shapes; where they are is a matter of the tick."""
    if system is None:
        return None
    springs = [element for element in system.elements if isinstance(element, Spring)]
    return (
        tuple((body.name, body.model) for body in system.bodies),
        tuple((point.name, point.body, point.kind) for point in system.points),
        tuple((type(element), element.name, element.point_1, element.point_2) for element in system.elements),
        tuple((bool(np.any(spring.stiffness)), bool(np.any(spring.damping))) for spring in springs),
        bool(system.gravity_W[2] < 0.0),
    )


class Extent(NamedTuple):
    """What an element takes up: its name, two points in world, and a radius about the line between them, m."""

    name: str
    end: Array
    start: Array
    radius: float
