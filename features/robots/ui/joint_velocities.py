"""Jacobian of a frame in the scene: velocities of its origin by each joint and by all, and axes that line up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.features.robots.core.aligned_axes import aligned_axes
from framescope.features.robots.core.jacobian import Jacobian, jacobian, velocity_ellipsoid
from framescope.features.robots.ui.jacobian_look import JACOBIAN, METRES_PER_SPEED
from framescope.ui.scene_view.base.label_plates import LabelPlate, magnitude_text
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.arrow_bundle import ArrowBundle
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius, usual_length
from framescope.ui.scene_view.geometry.lathe_meshes import sphere, to_polydata
from framescope.ui.scene_view.visuals.arrow_labels import TipValues, ends_of, readable

Array = NDArray[np.float64]

ELLIPSOID_OPACITY = 0.28

FLATTEST = 1e-3
"""Smallest half-axis of the drawn ellipsoid, as a fraction of the longest."""

AXIS_WIDTH, AXIS_LENGTH = 0.45, 1.5
"""Width of the drawn joint axes, in shafts of sensor arrows, and length to either side, in axes of frames."""

THROUGH = 0.6
"""Opacity of axes behind the surrounding bodies."""


class JointVelocities(Visual):
    """Jacobian of the frame in the context's settings; without a frame it has no actor and costs nothing."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self.drawn: Jacobian | None = None
        """Drawn Jacobian; None without a value."""
        frame = context.options[JACOBIAN]
        made = None if frame is None else jacobian(context.plan, evaluate(context.plan, context.plan.start), frame)
        if made is None:
            return
        theme, radius = context.theme, arrow_radius(context.view_data)
        self.velocity_arrows = ArrowBundle([theme.sensor] * len(made.titles), radius)
        self._length = AXIS_LENGTH * usual_length(context.view_data)
        n = len(made.screws)
        self.screw_axes = {
            color: ArrowBundle([color] * n, AXIS_WIDTH * radius, through=THROUGH)
            for color in (theme.quiet, theme.amber, theme.red)
        }
        color = readable(theme.sensor, theme)
        self._values = TipValues(context, [LabelPlate("v", title, "m/s", color) for title in made.titles])
        self._matrix = vtkMatrix4x4()
        self._ellipsoid = actors.surface(to_polydata(sphere(1.0, sides=48)), theme.accent, opacity=ELLIPSOID_OPACITY)
        self._ellipsoid.SetUserMatrix(self._matrix)
        for bundle in (self.velocity_arrows, *self.screw_axes.values()):
            self.scene_actors += bundle.actors
        self.scene_actors.append(self._ellipsoid)
        self.overlay_actors += self._values.actors

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the joints of a plan with the sources of their values."""
        made = ((row, motion.joint) for row, motion in plan.tree.motions.items())
        frames = (plan.names[row] for row, joint in made if joint is not None)
        return tuple((name, plan.scene.frames[name].motion) for name in frames)

    def show(self, tick: Tick) -> None:
        """Show the velocities at a tick."""
        frame = self.context.options[JACOBIAN]
        self.drawn = J = None if frame is None else jacobian(tick.plan, tick.snapshot, frame)
        for bundle in (self.velocity_arrows, *self.screw_axes.values()):
            bundle.vectors.fill(np.nan)
        self._ellipsoid.SetVisibility(J is not None)
        if J is not None and len(J.titles) == len(self.velocity_arrows.feet):
            center = tick.snapshot.p_WF[tick.plan.index[J.frame]]
            self.velocity_arrows.feet[:] = center
            self.velocity_arrows.vectors[:] = METRES_PER_SPEED * J.v_W.T
            for k, speed in enumerate(np.linalg.norm(J.v_W, axis=0)):
                self._values.plates.write(k, magnitude_text(float(speed)))
            self._show_axes(J)
            self._show_ellipsoid(J, center)
        for bundle in (self.velocity_arrows, *self.screw_axes.values()):
            bundle.update()

    def _show_axes(self, J: Jacobian) -> None:
        """Draw the axis of each revolute joint, coloured by its alignment with another."""
        theme = self.context.theme
        colors = dict.fromkeys((screw.frame for screw in J.screws), theme.quiet)
        for pair in reversed(aligned_axes(J.screws)):  # the nearest pair last, as it takes precedence
            colors.update(dict.fromkeys(pair.frames, theme.red if pair.is_locked else theme.amber))
        for i, screw in enumerate(J.screws):
            bundle = self.screw_axes[colors[screw.frame]]
            bundle.feet[i] = screw.p_W - self._length * screw.e_W
            bundle.vectors[i] = 2.0 * self._length * screw.e_W

    def _show_ellipsoid(self, J: Jacobian, center: Array) -> None:
        ellipsoid = velocity_ellipsoid(J)
        radii = np.maximum(ellipsoid.radii, FLATTEST * ellipsoid.radii[0])
        axes = ellipsoid.axes_W * np.array([1.0, 1.0, np.sign(np.linalg.det(ellipsoid.axes_W))])
        actors.set_pose(self._matrix, axes * (METRES_PER_SPEED * radii), center)

    def occupy(self, projection: Projection) -> None:
        """Reserve the arrows in the layout of labels."""
        if self.overlay_actors:
            self._ends = ends_of(projection, [self.velocity_arrows])
            self._ends.take(self.context)

    def place(self, projection: Projection) -> None:
        """Place the labels of joints and speeds beyond the tips."""
        if self.overlay_actors:
            self._values.place(projection, self._ends)

    def reach_W(self) -> tuple[Array, ...]:
        """Return the positions of the arrow tips."""
        return (self.velocity_arrows.tips,) if self.scene_actors else ()
