"""Springs, dampers and sources between connection points, or from them to ground.

A spring to ground is slack while its point is at rest, and would then have no length. It is drawn with a free length,
and the ground is that far from the resting point. The ground of a point that transmits only one direction moves with
the point in the other two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.evaluate import Plan
from framescope.core.simulation.system import Element, Force, Spring, System, VelocitySource
from framescope.ui.scene_view.base.animated_nodes import AnimatedItems, FollowedItems, MeshItems, NodeSource
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.point_places import PointPlaces
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual, followed_by_simulation, look_of_system, system_of
from framescope.ui.scene_view.geometry import actors, element_shapes
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.geometry.element_shapes import (
    COIL_RADIUS,
    COLLAR_RADIUS,
    END,
    FREE_LENGTH,
    HOUSING,
    PLATE_RADIUS,
    START,
)
from framescope.ui.scene_view.geometry.instanced_mesh import AxesAlong, LinearMesh, MeshTemplate, colors_of
from framescope.ui.theme.tokens import Theme, mix

Array = NDArray[np.float64]

THROUGH_OPACITY = 0.4

HOUSING_SHARE, HOUSING_LIMIT = 0.5, 0.85
"""Length of a damper's cylinder, as a fraction of its rest length, and its maximum fraction of the current length."""


class _Shape(NamedTuple):
    """A mesh for the elements in `rows`. An upright one is aligned with the axes of the world."""

    rows: NDArray[np.intp]
    mesh: LinearMesh
    is_upright: bool = False
    is_collar: bool = False


class Elements(Visual):
    """All elements, with one mesh for each shape."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._system = system = system_of(context.plan)
        if system is None or not system.elements:
            return
        self._size = arrow_radius(context.view_data)
        self._places = PointPlaces(context.plan, system)
        self._plan: Plan | None = None
        index = {point.name: i for i, point in enumerate(system.points)}
        elements = system.elements
        self._end_of = np.array([index[element.point_1] for element in elements])
        hidden = context.view_data.hidden
        self._is_drawn = np.array([("elements", element.name) not in hidden for element in elements])
        self._start_of = np.array([index.get(element.point_2 or "", 0) for element in elements])
        self._is_ground = np.array([element.point_2 is None for element in elements])
        count = len(elements)
        self._start, self._end, self._vectors = (np.zeros((count, 3)) for _ in range(3))
        self._anchors, self._rest_lengths, self._lengths = np.zeros((count, 3)), np.zeros(count), np.zeros(count)
        axes_of = [system.points[i].axes for i in self._end_of]
        self._is_fixed = np.array([[k in axes for k in range(3)] for axes in axes_of]) & self._is_ground[:, None]
        self._is_followed = ~self._is_fixed & self._is_ground[:, None]
        self._away = np.array([_away(element, axes, system) for element, axes in zip(elements, axes_of, strict=True)])
        self._reach = np.empty((3, count, 3))
        self._along = AxesAlong(count)
        self._upright = np.stack([_upright(away) for away in self._away], axis=1)
        self.shapes = list(self._make(elements, context.theme))
        for shape in self.shapes:
            self.scene_actors.append(actors.surface(shape.mesh.polydata))
            if shape.is_collar:
                self.scene_actors.append(actors.through(shape.mesh.polydata, THROUGH_OPACITY))

    def _make(self, elements: Sequence[Element], theme: Theme) -> list[_Shape]:
        metal, dark = ("#AEB6C0", "#66707C") if theme.is_dark else ("#77828E", "#A3ADB7")
        is_spring = [isinstance(element, Spring) and bool(np.any(element.stiffness)) for element in elements]
        is_damper = [isinstance(element, Spring) and bool(np.any(element.damping)) for element in elements]
        is_velocity = [isinstance(element, VelocitySource) for element in elements]
        is_force = [isinstance(element, Force) for element in elements]
        is_rod = [isinstance(element, Force) and element.point_2 is not None for element in elements]
        stands = [bool(g) and not f for g, f in zip(self._is_ground, is_force, strict=True)]
        ground = mix(theme.quiet, theme.scene_bottom, 0.25)
        shapes = (
            _shape(is_spring, element_shapes.coil_template(), metal),
            _shape(is_damper, element_shapes.damper_template(), dark),
            _shape(is_velocity, element_shapes.rails_template(), metal),
            _shape(is_rod, element_shapes.rod_template(), theme.force),
            _shape(is_force, element_shapes.collar_template(), theme.force, is_upright=True, is_collar=True),
            _shape(stands, element_shapes.ground_template(), ground, is_upright=True),
        )
        return [shape for shape in shapes if len(shape.rows)]

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
        """Return the simulated frames for each item."""
        return followed_by_simulation("springs and other elements", plan, sources)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the meshes of each shape, named by their elements."""
        if self._system is not None:
            names = [element.name for element in self._system.elements]
            for shape in self.shapes:
                yield MeshItems(shape.mesh, [names[row] for row in shape.rows])

    def show(self, tick: Tick) -> None:
        """Move the elements; elements with an end of unknown position are hidden."""
        if tick.plan is not self._plan:
            self._set_rest(tick.plan)
        places, start, end = self._places, self._start, self._end
        places.follow(tick)
        np.take(places.p_W, self._end_of, axis=0, out=end, mode="clip")
        np.take(places.p_W, self._start_of, axis=0, out=start, mode="clip")
        np.copyto(start, self._anchors, where=self._is_fixed)
        np.copyto(start, end, where=self._is_followed)
        along, lengths = self._along, self._lengths
        np.subtract(end, start, out=self._vectors)
        along.turn(self._vectors)
        with np.errstate(invalid="ignore"):
            np.multiply(along.lengths, HOUSING_LIMIT, out=lengths)
            np.minimum(lengths, self._rest_lengths, out=lengths)
            np.einsum("ij,i->ij", along.axes[2], lengths, out=self._vectors)
            np.add(start, self._vectors, out=self._vectors)
        for rows, mesh, is_upright, _ in self.shapes:
            for station, p_W in ((START, start), (HOUSING, self._vectors), (END, end)):
                np.take(p_W, rows, axis=0, out=mesh.stations[station], mode="clip")
            np.take(self._upright if is_upright else along.axes, rows, axis=1, out=mesh.axes, mode="clip")
            mesh.sizes.fill(self._size)
            if is_upright:
                np.isfinite(mesh.stations[END, :, 0], out=mesh.is_shown)
            else:
                np.take(along.is_given, rows, out=mesh.is_shown, mode="clip")
            mesh.is_shown &= self._is_drawn[rows]
            mesh.update()

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the parts of points and elements that determine their shapes."""
        return look_of_system(system_of(plan))

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the elements under a pixel, along their whole drawing."""
        points, authored = ray.tick.plan.instruments.points, ray.tick.plan.scene.elements
        for name, end, start, radius in self.extents():
            point = points.get(authored[name].point) if name in authored else None
            row = -1 if point is None else ray.tick.snapshot.index.get(point.frame, -1)
            yield from ray.on_lines(("elements", name), end, start[None], row, radius)

    def extents(self) -> Iterator[tuple[str, Array, Array, float]]:
        """Yield name, two end points in world and radius about their line, m, of each drawn element."""
        if self._system is None:
            return
        for i in np.flatnonzero(self._is_drawn).tolist():
            element = self._system.elements[i]
            # A force on a single point is drawn as a ring about it.
            is_ring = isinstance(element, Force) and element.point_2 is None
            radius = (COLLAR_RADIUS if is_ring else COIL_RADIUS) * self._size
            yield element.name, self._end[i], self._end[i] if is_ring else self._start[i], radius

    def reach_W(self) -> tuple[Array, ...]:
        """Return the ends of all elements, including the ground."""
        margin = PLATE_RADIUS * self._size
        for k, (ends, by) in enumerate(((self._start, margin), (self._start, -margin), (self._end, 0.0))):
            np.add(ends, by, out=self._reach[k])
        return tuple(self._reach)

    def _set_rest(self, plan: Plan) -> None:
        """Update the rest positions of the points from a plan."""
        self._plan, system = plan, system_of(plan)
        if system is None:
            return
        bodies = {body.name: body for body in system.bodies}
        rest = np.array([bodies[p.body].p_rest + bodies[p.body].R_rest @ p.offset for p in system.points])
        length = FREE_LENGTH * self._size
        self._anchors[:] = rest[self._end_of] - length * self._away
        apart = np.linalg.norm(rest[self._end_of] - rest[self._start_of], axis=1)
        self._rest_lengths[:] = HOUSING_SHARE * np.where(self._is_ground, length, apart)


def _shape(
    is_of: Sequence[bool], template: MeshTemplate, color: str, *, is_upright: bool = False, is_collar: bool = False
) -> _Shape:
    rows = np.flatnonzero(is_of)
    return _Shape(rows, LinearMesh(template, colors_of([color] * len(rows))), is_upright, is_collar)


def _away(element: Element, axes: tuple[int, ...], system: System) -> Array:
    """Return the direction away from an element's ground: its point's axis, else up, or down below a hinge."""
    away = np.zeros(3)
    if len(axes) == 1:
        away[axes[0]] = 1.0
    else:
        away[2] = -1.0 if isinstance(element, VelocitySource) and system.gravity_W[2] < 0.0 else 1.0
    return away


def _upright(away: Array) -> Array:
    """Return axes a, b, d with d along an axis of the world."""
    a = np.roll(np.abs(away), 1)
    return np.array([a, np.cross(away, a), away])
