"""Sensors of the motion of a frame in the world, and of one frame relative to another, after Modelica's.

A sensor says which quantities are on and which frame they are resolved in; it exerts no force and no torque. What is on
is packed, three numbers each, in the order position, velocity, acceleration, angles, angular velocity, angular
acceleration. Vectors are differentiated first and resolved then, which is a rotation only: the velocity of a frame
resolved in the frame itself is its velocity in the world, in other components, and not zero.

``absolute`` and ``relative`` have one sensor each, ``packing`` what both share; import the two from here.

References
----------
Modelica Standard Library 2.2.2, ``Modelica.Mechanics.MultiBody.Sensors``: AbsoluteSensor, RelativeSensor.
"""

from framescope.core.sensors.absolute import AbsoluteSensor
from framescope.core.sensors.relative import RelativeSensor

__all__ = ["AbsoluteSensor", "RelativeSensor"]
