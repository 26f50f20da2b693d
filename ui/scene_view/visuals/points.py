"""Connection points: a ball, with a double-headed arrow along each direction of the world that they transmit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.base.animated_nodes import AnimatedItems, FollowedItems, MeshItems, NodeSource
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.point_places import PointPlaces
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual, followed_by_simulation, system_of
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.geometry.instanced_mesh import LinearMesh, MeshTemplate, colors_of, place
from framescope.ui.scene_view.geometry.lathe_meshes import lathe, sphere
from framescope.ui.scene_view.visuals.triads import AXIS_TURNS

# Sizes in radii of an arrow's shaft.
BALL, STUB, STUB_SHAFT, STUB_HEAD, STUB_HEAD_RADIUS = 1.5, 5.2, 0.42, 2.2, 1.25

THROUGH_OPACITY = 0.5

MANY = 400
"""Number of points from which on each is only a few pixels: balls get few sides, and spindles replace arrows."""
BALL_SIDES, FEW_SIDES, STUB_SIDES = 14, 6, 12


class Points(Visual):
    """All connection points: one mesh of balls, one of arrows."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        system = system_of(context.plan)
        if system is None or not system.points:
            return
        theme, size = context.theme, arrow_radius(context.view_data)
        self._places = PointPlaces(context.plan, system)
        transmitted = [(i, axis) for i, point in enumerate(system.points) for axis in point.axes]
        hidden = context.view_data.hidden
        self._is_drawn = np.array([("points", point.name) not in hidden for point in system.points])
        self._names, self._transmitted = [point.name for point in system.points], transmitted
        self._point_of, axes = np.array([i for i, _ in transmitted]), [axis for _, axis in transmitted]
        ball = "#C6CCD3" if theme.is_dark else "#5F6A75"
        is_many = len(system.points) >= MANY
        shape = place(sphere(BALL, 0.0, FEW_SIDES if is_many else BALL_SIDES), 0)
        self.balls = LinearMesh(shape, colors_of([ball] * len(system.points)))
        arrow = spindle_template() if is_many else stub_template()
        self.stubs = LinearMesh(arrow, colors_of(theme.axes[axis] for axis in axes))
        self.balls.axes[:] = np.eye(3)[:, None]
        self.stubs.axes[:] = np.stack([AXIS_TURNS[axis].T for axis in axes], axis=1)
        for mesh in (self.balls, self.stubs):
            mesh.sizes[:] = size
            self.scene_actors += [
                actors.surface(mesh.polydata),
                actors.through(mesh.polydata, THROUGH_OPACITY),
            ]

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the points under a pixel."""
        snapshot, hidden = ray.tick.snapshot, ray.tick.plan.view_data.hidden
        for name, point in ray.tick.plan.instruments.points.items():
            row = snapshot.index.get(point.frame, -1)
            if row >= 0 and snapshot.is_posed[row] and ("points", name) not in hidden:
                yield from ray.on_mark(("points", name), snapshot.p_WF[row] + snapshot.R_WF[row] @ point.offset, row)

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
        """Return the simulated frames for each item."""
        return followed_by_simulation("connection points", plan, sources)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the balls and the arrows of transmitted directions."""
        yield MeshItems(self.balls, self._names)
        yield MeshItems(self.stubs, [f"{self._names[i]} passes {'xyz'[axis]}" for i, axis in self._transmitted])

    def show(self, tick: Tick) -> None:
        """Move the points; points on bodies without a pose are hidden."""
        self._places.follow(tick)
        np.copyto(self.balls.stations[0], self._places.p_W)
        np.take(self._places.p_W, self._point_of, axis=0, out=self.stubs.stations[0], mode="clip")
        for mesh in (self.balls, self.stubs):
            np.isfinite(mesh.stations[0, :, 0], out=mesh.is_shown)
        self.balls.is_shown &= self._is_drawn
        self.stubs.is_shown &= self._is_drawn[self._point_of]
        for mesh in (self.balls, self.stubs):
            mesh.update()


@cache
def spindle_template() -> MeshTemplate:
    """Return a spindle along d, as long as an arrow with two heads."""
    return place(lathe([(0.0, -STUB), (STUB_HEAD_RADIUS, 0.0), (0.0, STUB)], 4, smooth=True), 0)


@cache
def stub_template() -> MeshTemplate:
    """Return an arrow with two heads along d."""
    neck = STUB - STUB_HEAD
    profile = [(0.0, -STUB), (STUB_HEAD_RADIUS, -neck), (STUB_SHAFT, -neck)]
    profile += [(STUB_SHAFT, neck), (STUB_HEAD_RADIUS, neck), (0.0, STUB)]
    return place(lathe(profile, STUB_SIDES), 0)
