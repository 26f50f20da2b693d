"""Sensors of the motion of a frame in the world or relative to another frame, after Modelica.

A sensor has switches for its quantities and a frame to resolve them in; it exerts no force and no torque. Its output
packs the selected quantities, three numbers each, in the order position, velocity, acceleration, angles, angular
velocity, angular acceleration. Vectors are differentiated first and resolved afterwards, which only rotates them. The
velocity of a frame resolved in the frame itself is therefore its velocity in the world, in other components, and not
zero.

The modules ``absolute`` and ``relative`` define one sensor each, ``packing`` their common functions. Import the sensors
from this package.

References
----------
Modelica Standard Library 2.2.2, ``Modelica.Mechanics.MultiBody.Sensors``: AbsoluteSensor, RelativeSensor.
"""

from framescope.core.sensors.absolute import AbsoluteSensor
from framescope.core.sensors.relative import RelativeSensor

__all__ = ["AbsoluteSensor", "RelativeSensor"]
