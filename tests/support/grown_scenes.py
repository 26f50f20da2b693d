"""Scenes with simulated bodies, sensors, measurements and meshes, for the tests of the window."""

from __future__ import annotations

PLATE = """\
framescope: 1
title: A plate on three springs
time: {start: 0 s, end: 1 s}
frames:
  plate:
    parent: world
    position: {value: [0, 0, 0.5], unit: m}
    orientation: {form: axes, sequence: XYZ, angles: [10, -8, 5], unit: deg}
    motion: {form: simulated, model: finite, rest: {position: {value: [0, 0, 0.5], unit: m}}}
  corner: {parent: plate, position: {value: [0.3, 0, 0], unit: m}}
  arm: {parent: world, orientation: {form: axes, sequence: ZXZ, angles: [10, 20, "30*t"], unit: deg}}
bodies:
  slab: {frame: plate, shape: {form: box, size: [0.6, 0.4, 0.05], unit: m}, mass: 4 kg, inertia: uniform}
  pointer: {frame: arm, shape: {form: arrow, length: 0.4 m, radius: 1 cm}, opacity: 0.5}
points:
  A: {body: slab, kind: XYZ, offset: {value: [0.3, 0, 0], unit: m}}
  B: {body: slab, kind: Z, offset: {value: [-0.3, 0.2, 0], unit: m}}
  C: {body: slab, kind: XYZ, offset: {value: [-0.3, -0.2, 0], unit: m}}
elements:
  spring A: {form: spring, point: A, stiffness: 200 N/m, damping: 0.5 N s/m}
  spring B: {form: spring, point: B, stiffness: 200 N/m, damping: 0.5 N s/m}
  spring C: {form: spring, point: C, stiffness: 200 N/m, damping: 0.5 N s/m}
sensors:
  gyro: {form: absolute, frame_a: corner, get_angles: true, get_w: true, resolve_in_frame_a: true}
  link: {form: relative, frame_a: arm, frame_b: corner}
measured:
  survey: {form: pose, of: corner, relative_to: world, position: {value: [0.3, 0, 0.5], unit: m}}
view:
  plots:
    - {signal: energy, unit: J}
    - {signal: port force, of: A, unit: N}
    - {signal: port velocity, of: B, unit: mm/s}
    - {signal: port displacement, of: B, unit: mm}
    - {signal: element force, of: spring A, unit: N}
    - {signal: sensor, of: gyro}
    - {signal: angles, of: arm, relative_to: world, sequence: ZXZ, unit: deg}
    - {signal: quaternion, of: arm, relative_to: world}
    - {signal: measured, of: survey}
"""
"""Every kind of item, and most kinds of plots; its simulation takes a moment."""

PATH = """
  camera_path:
    unit: m
    keys:
      - {time: 0 s, position: [2, -2, 1.2], focal_point: [0.2, 0.2, 0.4]}
      - {time: 1 s, position: [2.5, 1, 1.5], focal_point: [0.2, 0.2, 0.4]}
"""
"""To be put at the end of a scene's view."""

SLOW = PLATE.replace("end: 1 s", "end: 100000 s")
"""It takes minutes to simulate."""
