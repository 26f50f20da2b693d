"""Arrows of forces at connection points, and of their torque about a body's centre of mass."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.evaluate import Plan
from framescope.core.simulation.system import System
from framescope.ui.scene_view.base.animated_nodes import AnimatedItems, FollowedItems, MeshItems, NodeSource, ValueText
from framescope.ui.scene_view.base.label_plates import magnitude_text
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.point_places import PointPlaces
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual, followed_by_simulation, system_of
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.arrow_bundle import ArrowBundle
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.visuals import arrow_labels

Array = NDArray[np.float64]


class ForceVectors:
    """Forces at the points of a simulated system and torques on its bodies, as arrows in world, m.

    Attributes
    ----------
    points, bodies
        Names of the points and of the bodies.
    forces, torques
        Lengths of the arrows of 1 N and 1 N m, m; None without arrows.
    force_feet, force_vectors, torque_feet, torque_vectors
        Arrows (count, 3), updated by `follow`; NaN where a force is unknown or its point is hidden.
    """

    def __init__(self, context: ViewContext, system: System) -> None:
        view_data = context.view_data
        self.forces, self.torques = view_data.forces, view_data.torques
        self.points = [point.name for point in system.points]
        self._is_drawn = [("points", name) not in view_data.hidden for name in self.points]
        self._places = PointPlaces(context.plan, system)
        bodies = [body for body in system.bodies if any(point.body == body.name for point in system.points)]
        self.bodies = [body.name for body in bodies]
        index = {body.name: i for i, body in enumerate(bodies)}
        self._body_of = [index[point.body] for point in system.points]
        self._rows = np.array([context.plan.index[body.name] for body in bodies])
        self._small = _small_angle_levers(system)
        n_forces = len(self.points) if self.forces is not None else 0
        n_torques = len(self.bodies) if self.torques is not None else 0
        self.force_feet, self.force_vectors = np.zeros((n_forces, 3)), np.zeros((n_forces, 3))
        self.torque_feet, self.torque_vectors = np.zeros((n_torques, 3)), np.zeros((n_torques, 3))

    def follow(self, tick: Tick) -> None:
        """Update the arrows from the forces of a tick."""
        self._places.follow(tick)
        ports = tick.snapshot.ports
        force_scale, torque_scale = self.forces or 0.0, self.torques or 0.0
        has_forces, has_torques = len(self.force_feet) > 0, len(self.torque_feet) > 0
        if has_torques:
            np.take(tick.snapshot.p_WF, self._rows, axis=0, out=self.torque_feet, mode="clip")
            self.torque_vectors.fill(0.0)
        for i, name in enumerate(self.points):
            force_W = ports[name].force_W if name in ports else None
            if has_forces:
                self.force_feet[i] = self._places.p_W[i]
                is_drawn = self._is_drawn[i]
                self.force_vectors[i] = np.nan if force_W is None or not is_drawn else force_scale * force_W
            if has_torques:
                total = self.torque_vectors[self._body_of[i]]
                if force_W is None:
                    total.fill(np.nan)
                else:
                    r_W: Array = self._places.r_W[i]
                    _add_torque(total, self._small.get(name, r_W), force_W, torque_scale)


def force_vectors_of(context: ViewContext) -> ForceVectors | None:
    """Return the arrows of forces and torques of a context; None if it shows none."""
    system, view_data = system_of(context.plan), context.view_data
    if system is None or not system.points or (view_data.forces is None and view_data.torques is None):
        return None
    return ForceVectors(context, system)


class ForceArrows(Visual):
    """Forces as straight arrows, torques with a curl; there are none before a simulation has run."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self.values: arrow_labels.TipValues | None = None
        self._vectors = vectors = force_vectors_of(context)
        if vectors is None:
            return
        theme, radius = context.theme, arrow_radius(context.view_data)
        has_forces, has_torques = vectors.forces is not None, vectors.torques is not None
        self.forces = ArrowBundle([theme.force] * len(vectors.force_feet), radius)
        self.torques = ArrowBundle([theme.omega] * len(vectors.torque_feet), radius, has_curl=True)
        self.forces.feet, self.forces.vectors = vectors.force_feet, vectors.force_vectors
        self.torques.feet, self.torques.vectors = vectors.torque_feet, vectors.torque_vectors
        self.scene_actors += self.forces.actors + self.torques.actors
        if arrow_labels.has_values(context):
            forces = [("F", name, "N") for name in vectors.points * has_forces]
            torques = [("M", name, "N m") for name in vectors.bodies * has_torques]
            captions = [
                *arrow_labels.captions_of(forces, theme.force, context),
                *arrow_labels.captions_of(torques, theme.omega, context),
            ]
            self.values = arrow_labels.TipValues(context, captions)
            self.overlay_actors += self.values.actors

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the points of forces and the frames of torques whose values are under a pixel."""
        vectors = self._vectors
        if vectors is None or self.values is None:
            return
        keys = [("points", name) for name in vectors.points] * (vectors.forces is not None)
        keys += [("frames", name) for name in vectors.bodies] * (vectors.torques is not None)
        yield from ray.on_plates(keys, self.values.boxes)

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
        """Return the simulated frames for each item."""
        return followed_by_simulation("forces and torques", plan, sources)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the arrows of forces, named by their points, and of torques, named by their bodies."""
        vectors = self._vectors
        if vectors is None:
            return
        for bundle, symbol, names in ((self.forces, "F", vectors.points), (self.torques, "M", vectors.bodies)):
            if bundle.actors:
                yield MeshItems(bundle.mesh, [f"{name} {symbol}" for name in names])
        if self.values is not None:
            bundles = [self.forces, self.torques]
            yield arrow_labels.TipItems(self._value_texts(), lambda: arrow_labels.feet_and_vectors(bundles))

    def show(self, tick: Tick) -> None:
        """Update the arrows from the forces of a tick."""
        vectors = self._vectors
        if vectors is None:
            return
        vectors.follow(tick)
        self.forces.update()
        self.torques.update()
        if self.values is not None:
            pairs = ((self.forces, vectors.forces), (self.torques, vectors.torques))
            lengths = [(vector, scale) for bundle, scale in pairs for vector in bundle.vectors]
            for k, (vector, scale) in enumerate(lengths):
                self.values.plates.write(k, magnitude_text(math.hypot(*vector) / (scale or 1.0)))

    def occupy(self, projection: Projection) -> None:
        """Keep names and values off the arrows."""
        self._ends = arrow_labels.ends_of(projection, [self.forces, self.torques])
        self._ends.take(self.context)

    def place(self, projection: Projection) -> None:
        """Place the values at the tips."""
        if self.values is not None:
            self.values.place(projection, self._ends)

    def _value_texts(self) -> list[ValueText]:
        """Return the caption of each arrow, with the factor from its length, m, to its value."""
        vectors = self._vectors
        if vectors is None:
            return []
        forces, torques = vectors.forces, vectors.torques
        captions = (
            [] if forces is None else [ValueText("F", name, "N", 1.0 / forces, "force") for name in vectors.points]
        )
        if torques is not None:
            captions += [ValueText("M", name, "N m", 1.0 / torques, "omega") for name in vectors.bodies]
        return captions

    def reach_W(self) -> tuple[Array, ...]:
        """Return the tips of the arrows."""
        return tuple(bundle.tips for bundle in (self.forces, self.torques) if bundle.actors)


def _add_torque(total: Array, r_W: Array, force_W: Array, scale: float) -> None:
    # Component by component: numpy's cross product allocates half a dozen arrays.
    (x, y, z), (X, Y, Z) = r_W, force_W
    total[0] += scale * (y * Z - z * Y)
    total[1] += scale * (z * X - x * Z)
    total[2] += scale * (x * Y - y * X)


def _small_angle_levers(system: System) -> dict[str, Array]:
    """Return the lever arms, in world, of points on bodies of the small-angle model, which do not rotate."""
    rests = {body.name: body.R_rest for body in system.bodies if body.model == "small angle"}
    return {point.name: rests[point.body] @ point.offset for point in system.points if point.body in rests}
