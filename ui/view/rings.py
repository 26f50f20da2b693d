"""Gimbal rings: the physical mechanism whose three joints are the angles of an axis sequence.

The outer ring turns about e1, fixed in the parent; it carries the axis e2' of the middle one, which
carries the axis e3'' of the inner one, and that one turns with the frame. So the outer ring's plane is
spanned by e1 and e2', the middle one's by e2' and e3'', and where these planes coincide (ZXZ at zero)
or e3'' falls on e1 (XYZ at 90°) the mechanism is locked. Poses come from the authored angles, never
from angles extracted from a matrix, which are not unique just there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core import kernels
from framescope.core.kinematics import singularity_measure
from framescope.core.staging import StagedRings
from framescope.ui.theme import Theme, channels, mix
from framescope.ui.view import actors
from framescope.ui.view.context import Tick, ViewContext, Visual
from framescope.ui.view.meshes import Mesh, cylinder, lathe, merge, pv_cells, rgba, to_polydata

Array = NDArray[np.float64]

RADII = (1.0, 0.84, 0.70)
"""Of the outer, middle and inner ring, in the middle of the band; all sizes here are parts of that radius."""
WIDTH, THICKNESS, BEVEL = 0.09, 0.032, 0.007
FORK_RADIUS = 1.12
PIN_RADIUS = 0.021
SIDES = 120

AMBER_FROM, RED_FROM = 0.80, 0.95
EDGE_WIDTH = 2.0


class Rings(Visual):
    """The rings of all frames that show them, with fork and pins."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._gimbals = [_Gimbal(rings, context) for rings in context.staging.rings]
        for gimbal in self._gimbals:
            self.scene_actors += gimbal.actors

    def show(self, tick: Tick) -> None:
        """Turn the rings, and colour their edges by the nearness of the lock."""
        for gimbal in self._gimbals:
            gimbal.show(tick)


class _Gimbal:
    """One mechanism: four parts under four matrices."""

    def __init__(self, rings: StagedRings, context: ViewContext) -> None:
        self._rings = rings
        self._name = context.names[rings.i_frame]
        theme = context.theme
        self._warning_colors = channels(theme.amber), channels(theme.red)
        self._parts = [_Part(vtkMatrix4x4(), actors.surface(_fork(rings, theme)))]
        for k in range(3):
            edges = actors.lines(_edges(rings, k), context.px(EDGE_WIDTH), theme.amber)
            self._parts.append(_Part(vtkMatrix4x4(), actors.surface(_ring(rings, k, theme)), edges))
        self.actors = [actor for part in self._parts for actor in part.actors]

    def show(self, tick: Tick) -> None:
        """Turn the parts to the angles of a tick; without a pose nothing is seen."""
        snapshot, row = tick.snapshot, self._rings.i_frame
        parent = int(tick.plan.tree.parents[row])
        angles = tick.plan.angles(self._name, float(snapshot.t))
        is_posed = angles is not None and bool(snapshot.is_posed[row])
        for part in self._parts:
            part.surface.SetVisibility(is_posed)
        if not is_posed:
            for part in self._parts[1:]:
                part.edges.SetVisibility(False)
            return
        R_WP, p_W = snapshot.R_WF[parent], snapshot.p_WF[row]
        for part, R_PR in zip(self._parts, ring_rotations(self._rings.sequence, angles), strict=True):
            actors.set_pose(part.matrix, R_WP @ R_PR, p_W)
        self._warn(float(singularity_measure(self._rings.sequence, angles)[0]))

    def _warn(self, measure: float) -> None:
        color = self._warning_colors[measure >= RED_FROM]
        for part in self._parts[1:]:
            part.edges.SetVisibility(measure >= AMBER_FROM)
            part.edges.GetProperty().SetColor(*color)


class _Part:
    """A surface and, on rings, edges, moved by one matrix."""

    def __init__(self, matrix: vtkMatrix4x4, surface: vtkActor, edges: vtkActor | None = None) -> None:
        self.matrix = matrix
        self.surface = surface
        self.edges = edges if edges is not None else vtkActor()
        self.actors = [surface] if edges is None else [surface, edges]
        for actor in self.actors:
            actor.SetUserMatrix(matrix)


def ring_rotations(sequence: str, angles: Array) -> tuple[Array, Array, Array, Array]:
    """Return the rotations of fork, outer, middle and inner ring, into the parent's coordinates.

    >>> ring_rotations("ZXZ", np.array([0.5 * np.pi, 0.0, 0.0]))[1].round(12) @ (1, 0, 0)
    array([0., 1., 0.])
    """
    R = np.eye(3)
    rotations = [R]
    for letter, angle in zip(sequence, angles, strict=True):
        R = R @ kernels.axis_matrix(1 + "XYZ".index(letter), np.asarray(angle)).T
        rotations.append(R)
    return tuple(rotations)
