"""Visual: one kind of thing in the picture, and the context that it is made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.compile.view_data import ViewData
from framescope.core.evaluation.evaluate import Plan
from framescope.core.simulation.system import Spring, System
from framescope.ui.scene_view.base.animated_nodes import NodeSource
from framescope.ui.scene_view.base.label_layout import OccupiedAreas
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.scene_options import STAGED_ROTATION, SceneOption, SceneOptions
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.theme.tokens import Theme
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Decorations:
    """Decorations of the picture besides the scene itself."""

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
    angles: AngleUnit = DEG
    """What angles and their rates are written in."""
    options: SceneOptions = field(default_factory=SceneOptions)
    """What is shown besides the scene."""
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
    def staged_rotation(self) -> StagedRotation | None:
        """The rotation that is shown turn by turn, if the scene has its frame."""
        rotation = self.options[STAGED_ROTATION]
        return rotation if rotation is not None and rotation.frame in self.plan.index else None

    @property
    def staged_frame(self) -> str:
        """The frame that is shown turn by turn; empty when none is."""
        return "" if self.staged_rotation is None else self.staged_rotation.frame

    def px(self, logical: float) -> float:
        """Return logical pixels as device pixels."""
        return logical * self.scale

    def px_of_tools(self, logical: float) -> float:
        """Return the same for what is dragged or clicked, which is no larger in a presentation."""
        return logical * self.scale / self.magnification


class Visual:
    """Base of the visuals: one kind of thing in the picture, with its actors.

    `scene_actors` stand in the scene, `overlay_actors` in the picture plane, in pixels. Nothing here
    renders; whoever owns the window does that, once per tick.
    """

    works_unseen = False
    """Whether it does something where it has no actors; any other is left out then, and asked nothing."""

    def __init__(self, context: ViewContext) -> None:
        self._context = context
        self.scene_actors: list[vtkActor] = []
        self.overlay_actors: list[vtkActor] = []

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return what of a plan decides on the actors, besides names, tree and view: another one has all made anew."""
        del plan
        return ()

    def show(self, tick: Tick) -> None:
        """Take the poses of a tick, in place."""

    def heed(self, option: SceneOption[Any]) -> None:
        """Take another value of an option that leaves the actors as they are."""

    def occupy(self, projection: Projection) -> None:
        """Tell `ViewContext.occupied` what names and values have to keep off; before any visual is placed."""

    def place(self, projection: Projection) -> None:
        """Place what depends on the camera or on the size of the picture."""

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the items of the scene that lie under a pixel."""
        del ray
        yield from ()

    def reach_W(self) -> tuple[Array, ...]:
        """Return points ``(n, 3)`` in world that a picture of everything holds, besides frames and bodies; or NaN."""
        return ()

    def nodes(self) -> Iterator[NodeSource]:
        """Yield what formats that keep shapes and motions apart take of it."""
        yield from ()


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
