"""Visual: one kind of thing in the picture, and the context from which it is built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.compile.view_data import ViewData
from framescope.core.evaluation.evaluate import Plan
from framescope.core.simulation.system import Spring, System
from framescope.ui.scene_view.base.animated_nodes import AnimatedItems, Followed, FollowedItems, NodeSource
from framescope.ui.scene_view.base.label_layout import OccupiedAreas
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.scene_options import (
    LARGE_CORNERS,
    STAGED_ROTATION,
    SceneOption,
    SceneOptions,
)
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
    """The two-colour background; without it the background has one colour."""
    corners: bool = True
    """The texts in the corners of the picture."""
    cards: bool = True
    """The cards of answers, in videos and pictures."""
    tools: bool = True
    """Whether the upper right corner is left free for the buttons of the window."""
    title: bool = True
    clock: bool = True
    """Corner texts: the title with the note on the grid, and the clock."""


WINDOW = Decorations()
VIDEO = Decorations(title_bar=True, view_cube=False, tools=False)
BARE = Decorations(view_cube=False, grid=False, ground=False, corners=False, cards=False, tools=False)
"""The scene without decorations."""


@dataclass(frozen=True, eq=False)
class ViewContext:
    """A compiled scene, a theme and a scale: everything a visual may depend on during its lifetime.

    Visuals read time-dependent values from the tick, never from `plan`: an edit that moves things without changing
    their look keeps the visuals and changes only the plan of the ticks.
    """

    plan: Plan
    theme: Theme
    scale: float
    sheet: SpriteSheet
    decorations: Decorations = field(default=WINDOW)
    has_gpu: bool = False
    """Whether a graphics card renders instead of the processor, which decides the level of detail."""
    occupied: OccupiedAreas = field(default_factory=OccupiedAreas)
    """Occupied areas of the current picture, filled by `Visual.occupy`."""
    angles: AngleUnit = DEG
    """Unit of angles and their rates."""
    options: SceneOptions = field(default_factory=SceneOptions)
    """Content that is shown in addition to the scene."""
    is_live: bool = False
    """Whether pictures follow each other in a window, so that names may keep their sides."""
    magnification: float = 1.0
    """Factor by which a presentation enlarges `scale`."""
    leader_actors: list[vtkActor] = field(default_factory=list)
    """Actors of all leader lines, which are drawn before the plates of all visuals: no line crosses out a text."""

    @property
    def view_data(self) -> ViewData:
        """Drawn items, in SI units and by frame row."""
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
        """The frame that is shown turn by turn; empty if there is none."""
        return "" if self.staged_rotation is None else self.staged_rotation.frame

    @property
    def has_large_corners(self) -> bool:
        """Whether title and clock are large; always so for a rotation shown turn by turn."""
        return self.options[LARGE_CORNERS] or self.staged_rotation is not None

    def px(self, logical: float) -> float:
        """Convert logical pixels to device pixels."""
        return logical * self.scale

    def px_of_tools(self, logical: float) -> float:
        """Convert logical to device pixels for handles and buttons, which a presentation does not enlarge."""
        return logical * self.scale / self.magnification


class Visual:
    """Base of the visuals: one kind of thing in the picture, with its actors.

    `scene_actors` belong to the scene, `overlay_actors` to the picture plane, in pixels. Visuals do not render; the
    owner of the window does, once per tick.
    """

    works_unseen = False
    """Whether the visual has an effect even without actors. Other visuals without actors are removed and not called."""

    def __init__(self, context: ViewContext) -> None:
        self.context = context
        self.scene_actors: list[vtkActor] = []
        self.overlay_actors: list[vtkActor] = []

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the parts of a plan, besides names, tree and view, that require new actors when they change."""
        del plan
        return ()

    def show(self, tick: Tick) -> None:
        """Update the actors from the poses of a tick, in place."""

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Apply a new value of an option that does not affect the actors."""

    def occupy(self, projection: Projection) -> None:
        """Add the areas that names and values must avoid to `ViewContext.occupied`; called before any `place`."""

    def place(self, projection: Projection) -> None:
        """Update the overlay, which depends on the camera and on the size of the picture.

        The scene may be drawn already: see `place_in_scene`.
        """

    def place_in_scene(self, projection: Projection) -> None:
        """Update those actors of the scene that depend on the camera, before anything is drawn."""

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield hits on the scene items under a pixel."""
        del ray
        yield from ()

    def reach_W(self) -> tuple[Array, ...]:
        """Return points ``(n, 3)`` in world that a picture of everything shows besides frames and bodies, or NaN."""
        return ()

    def fit_W(self) -> tuple[Array, ...]:
        """Return those of the points `reach_W` that the first picture of a scene shows."""
        return self.reach_W()

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the nodes of this visual, for formats that store shapes and motions apart."""
        yield from ()

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:  # noqa: ARG002
        """Return the frames that each item of the visual's animated nodes follows; None for each by default."""
        return [None] * sum(len(source.items) for source in sources)


def system_of(plan: Plan) -> System | None:
    """Return the simulated bodies, points and elements of a scene; None if nothing is simulated."""
    if plan.instruments.simulation is not None:
        return plan.instruments.simulation.system
    return plan.pending[0].system if plan.pending else None


def followed_by_simulation(what: str, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
    """Return the simulated frames for each item: items of a simulation follow them, and no other frame."""
    system = system_of(plan)
    bodies = () if system is None else system.bodies
    followed = Followed(what, tuple(plan.index[body.name] for body in bodies))
    return [followed] * sum(len(source.items) for source in sources)


def followed_by_turns(
    what: str, plan: Plan, names: Sequence[str], sources: Sequence[AnimatedItems]
) -> Iterator[Followed]:
    """Yield one frame per source for each of its items."""
    for name, source in zip(names, sources, strict=True):
        yield from [Followed(what, (plan.index[name],))] * len(source.items)


def look_of_system(system: System | None) -> tuple[object, ...] | None:
    """Return the parts of a system that determine the shapes of points and elements; positions come with the tick."""
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
