"""A scene of simulated bodies with each kind of point and element, for the tests of the 3D view."""

from __future__ import annotations

from tests.support.scenes import HEAD

MECHANICS = (
    HEAD
    + """\
  left:
    parent: world
    position: {value: [-0.5, 0, 0.5], unit: m}
    motion: {form: simulated, model: finite, velocity: {value: [0.1, 0, 0.05], unit: m/s}}
  right:
    parent: world
    position: {value: [0.5, 0, 0.5], unit: m}
    motion: {form: simulated, model: finite}
gravity: {value: [0, 0, -9.81], unit: m/s²}
time: {start: 0 s, end: 1 s}
bodies:
  one: {frame: left, shape: {form: box, size: [30, 30, 10], unit: cm}, mass: 2 kg, inertia: uniform}
  two: {frame: right, shape: {form: box, size: [30, 30, 10], unit: cm}, mass: 2 kg, inertia: uniform}
points:
  A: {body: one, kind: XYZ, offset: {value: [-15, 0, 0], unit: cm}}
  B: {body: one, kind: XYZ, offset: {value: [15, 0, 0], unit: cm}}
  C: {body: two, kind: XYZ, offset: {value: [-15, 0, 0], unit: cm}}
  X: {body: two, kind: X, offset: {value: [15, 0, 0], unit: cm}}
  Z: {body: two, kind: Z, offset: {value: [15, 15, -5], unit: cm}}
elements:
  leg: {form: spring, point: A, stiffness: 300 N/m, damping: 2 N s/m}
  join: {form: spring, point: B, to: C, stiffness: 100 N/m, damping: 3 N s/m}
  wall: {form: velocity, point: X, signal: 0, unit: m/s}
  floor: {form: spring, point: Z, stiffness: 400 N/m}
  push: {form: force, point: B, to: C, signal: ["2*sin(4*t)", 0, 1], unit: N}
view:
  triad_length: 0.2 m
  forces: 20 mm per N
  torques: 0.1 m per N m
"""
)
