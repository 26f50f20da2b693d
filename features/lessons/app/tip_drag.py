"""Drag of the arrow of a pointing question by its tip: the tip follows the pointer by the shortest way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from framescope.app.session.session import Session
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.orientation import orient_frame
from framescope.features.lessons.core.staging import ANSWER, POINTER
from framescope.ui.scene_view.scene_view import SceneView

REACH_PX = 18.0
"""Largest distance of the pointer from the tip or from the outer half of the arrow, logical pixels."""

OUTER = 0.5
"""Part of the arrow's length from which on it can be grabbed."""

OPPOSITE = -0.999
"""Cosine below which two directions are opposite, so that no shortest way exists."""


class TipDrag(QObject):
    """Drag of the arrow *your answer* in a scene view, while `is_on`. It previews a turn and ends in one commit."""

    def __init__(self, view: SceneView, session: Session, is_on: Callable[[], bool]) -> None:
        super().__init__(view)
        self._renderer, self._session, self._is_on = view.renderer, session, is_on
        self._widget = cast("QWidget", view)
        self._edit: Edit | None = None
        self._is_held = False
        self._widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the events of a drag, and leave all others to the view."""
        if watched is not self._widget or not isinstance(event, QMouseEvent):
            return False
        is_left = event.button() == Qt.MouseButton.LeftButton
        match event.type():
            case QEvent.Type.MouseButtonPress if is_left and self._is_on() and self._is_on_tip(event.position()):
                self._is_held = True
                self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)
            case QEvent.Type.MouseMove if self._is_held:
                self._turn_to(event.position())
            case QEvent.Type.MouseButtonRelease if is_left and self._is_held:
                self._finish()
            case _:
                return False
        event.accept()
        return True

    def _place(self, at: QPointF) -> tuple[float, float]:
        ratio = self._widget.devicePixelRatioF()
        return at.x() * ratio, (self._widget.height() - at.y()) * ratio

    def _arrow(self) -> tuple[Array, Array, float]:
        """Return the foot of the arrow (3,) in world, its direction (3,), and its length, m."""
        plan, snapshot = self._session.plan, self._session.snapshot
        i = plan.index[ANSWER]
        length = POINTER * plan.scene.view.triad_length.si("length", ("view", "triad_length"))
        return snapshot.p_WF[i], snapshot.R_WF[i][:, 0], length

    def _is_on_tip(self, at: QPointF) -> bool:
        if ANSWER not in self._session.plan.index:
            return False
        foot, direction, length = self._arrow()
        projection = self._renderer.projection()
        (x, y), ends = (
            self._place(at),
            projection.project(np.stack([foot + OUTER * length * direction, foot + length * direction])),
        )
        if not (ends[:, 2] > 0.0).all():
            return False
        begin, along = ends[0, :2], ends[1, :2] - ends[0, :2]
        share = float(np.clip(((x, y) - begin) @ along / max(float(along @ along), 1e-9), 0.0, 1.0))
        return math.hypot(*((x, y) - begin - share * along)) <= REACH_PX * self._widget.devicePixelRatioF()

    def _turn_to(self, at: QPointF) -> None:
        """Turn the arrow so that its tip is under the pointer, or next to it where the pointer is too far away."""
        if ANSWER not in self._session.plan.index:
            return
        foot, now, length = self._arrow()
        projection, (x, y) = self._renderer.projection(), self._place(at)
        start, ray = projection.ray_start(x, y), projection.ray(x, y)
        wanted = direction_under(foot - start, ray, now, length)
        cosine = float(now @ wanted)
        if cosine < OPPOSITE:
            return
        plan, snapshot = self._session.plan, self._session.snapshot
        R_WP = snapshot.R_WF[plan.index[plan.scene.frames[ANSWER].parent]]
        R_WF = turn_between(now, wanted, cosine) @ snapshot.R_WF[plan.index[ANSWER]]
        moment = plan.moment(ANSWER, float(snapshot.t))
        self._edit = orient_frame(ANSWER, (R_WP.T @ R_WF).T, moment, "Turned the arrow")
        self._session.preview(self._edit, pauses=True)

    def _finish(self) -> None:
        edit, self._edit, self._is_held = self._edit, None, False
        self._widget.unsetCursor()
        if edit is not None:
            self._session.commit(edit)


def direction_under(center: Array, ray: Array, now: Array, radius: float) -> Array:
    """Return the direction (3,) from a centre to the point where a ray meets a sphere, on the side of `now`.

    The ray begins at the origin. Where it misses the sphere, the direction is that to its nearest point.

    >>> direction_under(np.array([0.0, 5.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, -1.0, 0.1]), 1.0).tolist()
    [0.0, -1.0, 0.0]
    """
    nearest = float(center @ ray) * ray - center
    away = float(np.linalg.norm(nearest))
    if away >= radius:
        return nearest / away
    deep = math.sqrt(radius * radius - away * away) * ray
    near, far = nearest - deep, nearest + deep
    return (near if float(near @ now) >= float(far @ now) else far) / radius


def turn_between(a: Array, b: Array, cosine: float) -> Array:
    """Return the shortest rotation (3, 3) from a unit vector to another, which is not its opposite.

    >>> turn_between(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), 0.0).round(9)[:, 0].tolist()
    [0.0, 1.0, 0.0]
    """
    x, y, z = np.cross(a, b)
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + skew + skew @ skew / (1.0 + cosine)
