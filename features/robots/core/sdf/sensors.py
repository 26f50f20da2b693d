"""Sensors in SDFormat: their places in links, and the cameras among them with size, focal lengths and distortion.

A camera looks along x of its sensor's frame, with y to the left and z up: the axes of a body, not of an image.

References
----------
SDFormat specification 1.12, ``<sensor>`` and ``<camera>``: http://sdformat.org/spec.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.system.xml_elements import Element
from framescope.features.robots.core.robot import CameraSensor, RobotSensor
from framescope.features.robots.core.robot_placement import inverse, placement_of
from framescope.features.robots.core.sdf.joints import SdfJoints
from framescope.features.robots.core.sdf.poses import PoseScope

MAX_SENSORS = 1000
"""Largest number of sensors of a file."""

USUAL_SIZE, USUAL_FOV = (320.0, 240.0), 1.047
"""Size of an image, pixels, and its angle across, rad, of a camera without them."""

LARGEST_SIDE = 100_000
"""Largest width and height of an image, pixels."""


class SdfSensors(SdfJoints):
    """Reader of the sensors of links, with the faults found so far."""

    def sensors_of(self, element: Element, scope: PoseScope, prefix: str, name: str) -> Iterator[RobotSensor]:
        """Yield the sensors of a link: its cameras one by one, other sensors as frames."""
        for sensor in element.all("sensor"):
            own = sensor.get("name") or "sensor"
            kind = sensor.get("type") or ""
            where = f"sensor {prefix}{own}"
            M = self.part_in_link(sensor, scope, name, where)
            cameras = list(sensor.all("camera"))
            for i, camera in enumerate(cameras):
                label = own if len(cameras) == 1 else f"{own} {camera.get('name') or i + 1}"
                raw, _ = self.pose(camera, where)
                place = placement_of(M @ raw, self.line(sensor))
                yield RobotSensor(prefix + label, kind, prefix + name, place, self.camera(camera, where), sensor.line)
            if not cameras:
                yield RobotSensor(
                    prefix + own, kind, prefix + name, placement_of(M, self.line(sensor)), None, sensor.line
                )

    def part_in_link(self, element: Element, scope: PoseScope, link: str, where: str) -> Array:
        """Return the pose (4, 4) of a part in its link; the pose may be relative to another frame of the model."""
        raw, relative_to = self.pose(element, where)
        if not relative_to:
            return raw
        in_scope = self.resolve(scope, relative_to, where, element.line)
        return inverse(self.resolve(scope, link, where, element.line)) @ in_scope @ raw

    def camera(self, element: Element, where: str) -> CameraSensor | None:
        """Return a camera; None if its image or its angle is impossible, which is reported."""
        image = element.first("image")
        width, height = (
            usual if image is None else self.numbers_in(image.first(side), 1, where, (usual,))[0]
            for side, usual in zip(("width", "height"), USUAL_SIZE, strict=True)
        )
        (angle,) = self.numbers_in(element.first("horizontal_fov"), 1, where, (USUAL_FOV,))
        if not (1.0 <= width <= LARGEST_SIDE and 1.0 <= height <= LARGEST_SIDE and 0.0 < angle < 2.0 * math.pi):
            message = f"its image is {width:g} x {height:g} pixels with an angle of {angle:g} rad across."
            self.fault(element, "no image", where, message, "Its camera is left out.", severity="red")
            return None
        center = (0.5 * (width - 1.0), 0.5 * (height - 1.0))
        intrinsics = element.first("lens", "intrinsics")
        if intrinsics is not None:
            fx, fy, cx, cy = (
                self.numbers_in(intrinsics.first(name), 1, where, (usual,))[0]
                for name, usual in zip(("fx", "fy", "cx", "cy"), (277.0, 277.0, *center), strict=True)
            )
        elif angle < math.pi:
            fx = fy = 0.5 * width / math.tan(0.5 * angle)
            cx, cy = center
        else:
            message = f"an image with an angle of {math.degrees(angle):.0f}° across is no plane."
            self.fault(element, "no image", where, message, "Its field of view is not drawn.", severity="note")
            return None
        if not (fx > 0.0 and fy > 0.0):
            message = f"its focal lengths are {fx:g} and {fy:g} pixels."
            self.fault(element, "no image", where, message, "Its camera is left out.", severity="red")
            return None
        optical = self.text_of(element, "optical_frame_id") or ""
        return CameraSensor((int(width), int(height)), (fx, fy), (cx, cy), self.distortion(element, where), optical)

    def distortion(self, element: Element, where: str) -> tuple[float, ...]:
        """Return the coefficients k1 k2 p1 p2 k3 of the model of Brown and Conrady; empty without distortion."""
        bent = element.first("distortion")
        if bent is None:
            return ()
        names = ("k1", "k2", "p1", "p2", "k3")
        numbers = tuple(self.numbers_in(bent.first(name), 1, where, (0.0,))[0] for name in names)
        return numbers if np.any(numbers) else ()
