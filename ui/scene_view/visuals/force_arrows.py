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
from framescope.ui.scene_view.base.point_places import PointPlaces
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual, followed_by_simulation, system_of
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.arrow_bundle import ArrowBundle
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.visuals import arrow_labels

Array = NDArray[np.float64]


class ForceArrows(Visual):
    """Forces as straight arrows, torques with a curl; there are none before a simulation has run."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self.values: arrow_labels.TipValues | None = None
        view_data, system = context.view_data, system_of(context.plan)
        self._forces, self._torques = view_data.forces, view_data.torques
        if system is None or not system.points or (self._forces is None and self._torques is None):
            return
        theme, radius = context.theme, arrow_radius(view_data)
        self._names = [point.name for point in system.points]
        self._is_drawn = [("points", name) not in view_data.hidden for name in self._names]
        self._places = PointPlaces(context.plan, system)
        bodies = [body for body in system.bodies if any(point.body == body.name for point in system.points)]
        self._bodies = [body.name for body in bodies]
        index = {body.name: i for i, body in enumerate(bodies)}
        self._body_of = [index[point.body] for point in system.points]
        self._rows = np.array([context.plan.index[body.name] for body in bodies])
        self._small = _small_angle_levers(system)
        has_forces, has_torques = self._forces is not None, self._torques is not None
        self.forces = ArrowBundle([theme.force] * len(self._names) * has_forces, radius)
        self.torques = ArrowBundle([theme.omega] * len(bodies) * has_torques, radius, has_curl=True)
        self.scene_actors += self.forces.actors + self.torques.actors
        if arrow_labels.has_values(context):
            forces = [("F", name, "N") for name in self._names * has_forces]
            torques = [("M", body.name, "N m") for body in bodies * has_torques]
            captions = [
                *arrow_labels.captions_of(forces, theme.force, context),
                *arrow_labels.captions_of(torques, theme.omega, context),
            ]
            self.values = arrow_labels.TipValues(context, captions)
            self.overlay_actors += self.values.actors

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
        """Return the simulated frames for each item."""
        return followed_by_simulation("forces and torques", plan, sources)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the arrows of forces, named by their points, and of torques, named by their bodies."""
        for bundle, symbol, names in ((self.forces, "F", self._names), (self.torques, "M", self._bodies)):
            if bundle.actors:
                yield MeshItems(bundle.mesh, [f"{name} {symbol}" for name in names])
        if self.values is not None:
            bundles = [self.forces, self.torques]
            yield arrow_labels.TipItems(self._value_texts(), lambda: arrow_labels.feet_and_vectors(bundles))

    def show(self, tick: Tick) -> None:
        """Update the arrows from the forces of a tick."""
        self._places.follow(tick)
        ports = tick.snapshot.ports
        force_scale, torque_scale = self._forces or 0.0, self._torques or 0.0
        if self.torques.actors:
            np.take(tick.snapshot.p_WF, self._rows, axis=0, out=self.torques.feet, mode="clip")
            self.torques.vectors.fill(0.0)
        for i, name in enumerate(self._names):
            force_W = ports[name].force_W if name in ports else None
            if self.forces.actors:
                self.forces.feet[i] = self._places.p_W[i]
                is_drawn = self._is_drawn[i]
                self.forces.vectors[i] = np.nan if force_W is None or not is_drawn else force_scale * force_W
            if self.torques.actors:
                total = self.torques.vectors[self._body_of[i]]
                if force_W is None:
                    total.fill(np.nan)
                else:
                    r_W: Array = self._places.r_W[i]
                    _add_torque(total, self._small.get(name, r_W), force_W, torque_scale)
        self.forces.update()
        self.torques.update()
        if self.values is not None:
            pairs = ((self.forces, force_scale), (self.torques, torque_scale))
            vectors = [(vector, scale) for bundle, scale in pairs for vector in bundle.vectors]
            for k, (vector, scale) in enumerate(vectors):
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
        forces, torques = self._forces, self._torques
        captions = [] if forces is None else [ValueText("F", name, "N", 1.0 / forces, "force") for name in self._names]
        if torques is not None:
            captions += [ValueText("M", name, "N m", 1.0 / torques, "omega") for name in self._bodies]
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
