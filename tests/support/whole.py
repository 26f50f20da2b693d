"""A scene that has every kind of item, and a table of faults in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

WHOLE = """\
framescope: 1
title: Everything
source: made for the tests
time: {start: 0 s, end: 2 s}
parameters: {omega: 2.5, lift: 0.1}
gravity: {value: [0, 0, -9.81], unit: m/s²}
frames:
  base:
    parent: world
    position: {value: [1, "lift*t", 0], unit: m}
  arm:
    parent: base
    orientation: {form: axes, sequence: ZYX, angles: ["omega*t", 0.3, "0.1*sin(omega*t)"], unit: rad}
  tip:
    parent: arm
    position: {value: [0.5, 0, 0], unit: m}
  guide:
    parent: base
    motion:
      form: keyframes
      unit: m
      keys:
        - {time: 0 s, position: [0, 0, 0]}
        - {time: 1 s, position: [0, 0, 1], orientation: {form: axis, axis: z, angle: 80, unit: deg}}
        - {time: 2 s, position: [1, 0, 1], orientation: {form: quaternion, value: [0, 0, 0.6, 0.8], order: xyzw}}
  walker:
    parent: world
    motion:
      form: recorded
      file: walk.csv
      format: table
      bandwidth: 3 Hz
      start: -0.1 s
      columns:
        time: time
        time_unit: ms
        position: [x, y, z]
        position_unit: mm
        orientation: {form: axes, columns: [yaw, pitch, roll], sequence: ZYX, unit: deg}
  plate:
    parent: world
    position: {value: [0, 0, 0.5], unit: m}
    orientation: {form: axes, sequence: XYZ, angles: [2, -1, 1], unit: deg}
    motion:
      form: simulated
      model: finite
      velocity: {value: [0.1, 0, 0], unit: m/s}
      angular_velocity: {value: [0, 0, 5], unit: deg/s, resolved_in: frame}
      rest: {position: {value: [0, 0, 0.5], unit: m}}
  plate of small angles:
    parent: world
    motion: {form: simulated, model: small angle, like: plate}
  bob:
    parent: world
    position: {value: [0, 1, 0], unit: m}
    motion: {form: simulated, model: finite}
bodies:
  slab: {frame: plate, shape: {form: box, size: [0.6, 0.4, 0.05], unit: m}, mass: 4 kg, inertia: uniform}
  ball:
    frame: bob
    shape: {form: sphere, radius: 10 cm}
    mass: 2000 g
    inertia: {value: [0.02, 0.02, 0.02], unit: kg m²}
  pointer: {frame: tip, shape: {form: arrow, length: 30 cm, radius: 1 cm}, color: "#12ab9f", opacity: 0.5}
  hull: {frame: arm, shape: {form: mesh, file: hull.stl, unit: mm}, edges: true}
points:
  A: {body: slab, kind: XYZ, offset: {value: [0.3, 0, 0], unit: m}}
  B: {body: slab, kind: XYZ, offset: {value: [-300, 200, 0], unit: mm}}
  C: {body: slab, kind: XYZ, offset: {value: [-0.3, -0.2, 0], unit: m}}
  C up: {body: slab, kind: Z, offset: {value: [-0.3, -0.2, 0], unit: m}}
  pivot: {body: ball, kind: XYZ, offset: {value: [0, 0, 0.4], unit: m}}
elements:
  spring A: {form: spring, point: A, stiffness: 1 kN/m, damping: 5 N s/m}
  spring B: {form: spring, point: B, stiffness: [1 kN/m, 1 kN/m, 1.2 kN/m]}
  spring C: {form: spring, point: C, stiffness: 1000 N/m}
  push: {form: force, point: C up, signal: "0.3*pulse(t, 0.5, 1)", unit: N}
  hinge: {form: velocity, point: pivot, signal: [0, 0, "lift*0"], unit: m/s}
sensors:
  on tip:
    form: absolute
    frame_a: tip
    get_v: true
    get_a: true
    get_angles: true
    get_w: true
    get_z: true
    frame_resolve: base
    sequence: ZXZ
    guess_angle1: 10 deg
    arrows: {v: 0.2 m per m/s, z: 50 mm per rad/s²}
  between:
    form: relative
    frame_a: arm
    frame_b: plate
    get_v_rel: true
    get_w_rel: true
    resolve_in: world
measured:
  survey:
    form: pose
    of: tip
    relative_to: world
    position: {value: [1.5, 0, 0], unit: m}
    orientation: {form: axis, axis: z, angle: 5, unit: deg}
  gyro:
    form: angular velocity
    of: arm
    relative_to: world
    resolved_in: arm
    unit: deg/s
    file: gyro.csv
    time: t
    time_unit: s
    values: [wx, wy, wz]
  walked: {form: pose, of: walker, relative_to: world,
    motion: {form: recorded, file: walk.csv, format: table, bandwidth: 3 Hz, columns: {time: time, time_unit: ms,
      position: [x, y, z], position_unit: mm,
      orientation: {form: axes, columns: [yaw, pitch, roll], sequence: ZYX, unit: deg}}}}
simulation: {method: dop853, tolerance: 1e-9, max_step: 200 ms, max_steps: 20000}
view:
  camera: {position: [3, -3, 2], focal_point: [0.5, 0, 0.3], unit: m, view_angle: 30 deg}
  camera_path:
    unit: m
    keys:
      - {time: 0 s, position: [3, -3, 2], focal_point: [0.5, 0, 0.3]}
      - {time: 2 s, position: [3, 3, 2], focal_point: [0.5, 0, 0.3], view_angle: 40 deg}
  rings:
    - {frame: arm, radius: 0.3 m}
  arcs:
    - {frame: arm, radius: 20 cm}
  stages:
    - {frame: arm, length: 15 cm}
  forces: 5 mm per N
  torques: 0.1 m per N m
  trails:
    - {frame: tip, duration: 1 s}
  plots:
    - {signal: angles, of: tip, relative_to: world, sequence: ZYX, unit: deg}
    - {signal: quaternion, of: tip, relative_to: base}
    - {signal: acceleration, of: tip, relative_to: base, resolved_in: arm, unit: m/s²}
    - {signal: sensor, of: on tip}
    - {signal: measured, of: gyro}
    - {signal: measured, of: survey}
    - {signal: port force, of: A, unit: N}
    - {signal: port displacement, of: C up, unit: mm}
    - {signal: port velocity, of: B, unit: m/s}
    - {signal: element force, of: hinge, unit: N}
    - {signal: constraint error, of: hinge, unit: mm}
    - {signal: energy, unit: J}
"""

STL = """\
solid one
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 100 0 0
vertex 0 100 0
endloop
endfacet
endsolid one
"""


def write_whole(folder: Path, text: str = WHOLE) -> Path:
    """Write the scene and the files that it names; return its path."""
    t = np.arange(0.0, 2.3, 0.02)
    walk = ["time,x,y,z,yaw,pitch,roll"]
    walk += [f"{1e3 * x:.3f},{1e3 * x:.3f},0,{500 * x * x:.3f},{40 * x:.4f},5,{10 * x:.4f}" for x in t]
    (folder / "walk.csv").write_text("\n".join(walk) + "\n")
    gyro = ["t,wx,wy,wz"] + [f"{x:.2f},0,0,{143.2 + x:.4f}" for x in t]
    (folder / "gyro.csv").write_text("\n".join(gyro) + "\n")
    (folder / "hull.stl").write_text(STL)
    path = folder / "whole.yaml"
    path.write_text(text, encoding="utf-8")
    return path


# One fault each: what is replaced, by what, then key path, what is said, the hint.
FAULTS = {
    "parameter name": ("{omega:", "{sin: 1, omega:", "parameters.sin", "it is a function", "Choose another name"),
    "unknown parameter": ('"lift*t"', '"lfit*t"', "frames.base.position.value[1]", '"lfit"', 'Did you mean "lift"?'),
    "gravity unit": (", unit: m/s²}\nframes", "}\nframes", "gravity.unit", "the unit of this acceleration", "Add one"),
    "keys not sorted": (
        "- {time: 1 s",
        "- {time: 3 s",
        "frames.guide.motion.keys[2].time",
        "not later",
        "Sort the keys",
    ),
    "key moves": (
        "angle: 80, unit: deg}}",
        'angle: "80*t", unit: deg}}',
        "frames.guide.motion.keys[1].orientation",
        "must not depend on t",
        "Use numbers",
    ),
    "keyframes and position": (
        "  guide:\n    parent: base\n",
        "  guide:\n    parent: base\n    position: {value: [0, 0, 0], unit: m}\n",
        "frames.guide.position",
        "has its pose from that",
        "Remove position",
    ),
    "unit of keys": (
        "      unit: m\n      keys",
        "      keys",
        "frames.guide.motion.unit",
        "the unit of this length",
        "Add",
    ),
    "column": ("position: [x, y, z]\n", "position: [x, y, zed]\n", "frames.walker.motion.file", '"zed"', ""),
    "column unit": (
        "        time_unit: ms\n",
        "",
        "frames.walker.motion.columns.time_unit",
        "missing",
        "Add one of: s, ms",
    ),
    "table without columns": (
        "      format: table\n",
        "      format: tum\n",
        "frames.walker.motion.columns",
        "fixed columns",
        "Remove columns",
    ),
    "file kind": ("file: walk.csv\n", "file: walk.exe\n", "frames.walker.motion.file", ".exe", ".csv"),
    "simulated parent": (
        "  bob:\n    parent: world",
        "  bob:\n    parent: base",
        "frames.bob.parent",
        "Newton's law",
        "Use world",
    ),
    "no mass": (
        ", mass: 4 kg, inertia: uniform",
        "",
        "frames.plate.motion",
        "no body on it has a mass",
        "Give one body",
    ),
    "two masses": (
        "  pointer: {frame: tip,",
        "  pointer: {frame: plate, mass: 1 kg,",
        "frames.plate.motion",
        "both give it a mass",
        "",
    ),
    "mass unit": ("mass: 4 kg", "mass: 4 N", "frames.plate.motion", '"N" is no unit of mass', ""),
    "no inertia": (", inertia: uniform", "", "frames.plate.motion", "the inertia is missing", "or uniform"),
    "impossible inertia": ("[0.02, 0.02, 0.02]", "[0.02, 0.02, 0.09]", "frames.bob.motion", "0.02, 0.02, 0.09", ""),
    "uniform arrow": (
        "shape: {form: box, size: [0.6, 0.4, 0.05], unit: m}",
        "shape: {form: cone, radius: 1 m, height: 1 m}",
        "frames.plate.motion",
        "a cone has no uniform inertia",
        "Give three moments",
    ),
    "resolved in": (
        ", resolved_in: frame",
        "",
        "frames.plate.motion.angular_velocity.resolved_in",
        "is missing",
        "Use world",
    ),
    "like nothing": (
        "like: plate}",
        "like: plait}",
        "frames.plate of small angles.motion.like",
        "no simulated frame",
        '"plate"',
    ),
    "like with a start": (
        "model: small angle, like: plate",
        "model: small angle, like: plate, velocity: {value: [0, 0, 0], unit: m/s}",
        "frames.plate of small angles.motion.velocity",
        "starts as plate",
        "Remove velocity",
    ),
    "the same model": (
        "model: small angle, like",
        "model: finite, like",
        "frames.plate of small angles.motion.model",
        "already",
        "",
    ),
    "a twin that cannot be": (
        "rest: {position: {value: [0, 0, 0.5], unit: m}}",
        "rest: {position: {value: [0, 0, 0.5], unit: m}, orientation: {form: axis, axis: x, angle: 30, unit: deg}}",
        "frames.plate of small angles.motion.model",
        "turn the body, or use the finite model",
        "",
    ),
    "point body": ("A: {body: slab", "A: {body: slob", "points.A.body", 'no body "slob"', 'Did you mean "slab"?'),
    "point not simulated": (
        "A: {body: slab",
        "A: {body: hull",
        "points.A.body",
        "not simulated",
        "simulated, model: finite",
    ),
    "element point": ("point: A,", "point: AA,", "elements.spring A.point", 'no point "AA"', ""),
    "directions": (
        "point: C, stiff",
        "point: C, to: C up, stiff",
        "elements.spring C.to",
        "C is XYZ, C up is Z",
        "Join equals",
    ),
    "joined to itself": (
        "point: C, stiff",
        "point: C, to: C, stiff",
        "elements.spring C.to",
        "joins two points",
        "ground",
    ),
    "no spring": ("stiffness: 1000 N/m", "damping: 0 N s/m", "elements.spring C.stiffness", "neither", "Add one"),
    "stiffness unit": ("stiffness: 1000 N/m", "stiffness: 4000", "elements.spring C.stiffness", "unit", "N/m"),
    "negative stiffness": (
        "stiffness: 1000 N/m",
        "stiffness: -200 N/m",
        "elements.spring C.stiffness",
        "0 or more",
        "",
    ),
    "signal count": ('signal: "0.3*pulse(t, 0.5, 1)"', "signal: [1, 2, 3]", "elements.push.signal", "1 direction,", ""),
    "signal unit": ('1)", unit: N}', '1)"}', "elements.push.unit", "unit", "N"),
    "signal undefined": ('"0.3*pulse(t, 0.5, 1)"', '"1/t"', "elements.push.signal", "no value", ""),
    "sensor frame": ("frame_a: tip", "frame_a: tp", "sensors.on tip.frame_a", 'no frame "tp"', 'Did you mean "tip"?'),
    "sensor sequence": ("sequence: ZXZ", "sequence: ZZX", "sensors.on tip.sequence", "no axis sequence", "Use one"),
    "sensor all off": (
        "    get_v_rel: true\n    get_w_rel: true\n",
        "    get_r_rel: false\n",
        "sensors.between",
        "at least one",
        "",
    ),
    "arrow unit": ("v: 0.2 m per m/s", "v: 0.2 m", "sensors.on tip.arrows.v", "no unit", "m per m/s"),
    "measurement frame": (
        "of: tip\n    relative_to: world\n    pos",
        "of: tap\n    relative_to: world\n    pos",
        "measured.survey.of",
        'no frame "tap"',
        "",
    ),
    "measurement unit": ("    unit: deg/s\n    file", "    file", "measured.gyro.unit", "unit", "deg/s"),
    "measurement file": (
        "file: gyro.csv",
        "file: giro.csv",
        "measured.gyro.file",
        "there is no file giro.csv",
        "gyro.csv",
    ),
    "measurement column": ("[wx, wy, wz]", "[wx, wy, wq]", "measured.gyro.file", '"wq"', ""),
    "longest step": ("max_step: 200 ms", "max_step: 0 ms", "simulation.max_step", "longer than zero", ""),
    "camera keys": (
        "- {time: 2 s, position: [3, 3",
        "- {time: 0 s, position: [3, 3",
        "view.camera_path.keys[1].time",
        "not later",
        "",
    ),
    "plot of nothing": (
        "{signal: sensor, of: on tip}",
        "{signal: sensor, of: on top}",
        "view.plots[3].of",
        'no sensor "on top"',
        '"on tip"',
    ),
    "plot takes more": (
        "{signal: energy, unit: J}",
        "{signal: energy, of: A, unit: J}",
        "view.plots[11].of",
        "takes no of",
        "Remove of",
    ),
    "plot takes less": ("relative_to: base}", "}", "view.plots[1].relative_to", "needs relative_to", "Name a frame"),
    "plot unit": ("of: A, unit: N}", "of: A, unit: m}", "view.plots[6].unit", "no unit of force", ""),
    "plot of no constraint": ("error, of: hinge", "error, of: push", "view.plots[10].of", "no constraint", "velocity"),
    "arcs without a sequence": (
        "- {frame: arm, radius: 20 cm}",
        "- {frame: tip, radius: 20 cm}",
        "view.arcs[0].frame",
        "no axis sequence to draw arcs of",
        "form axes",
    ),
    "stages of nothing": ("{frame: arm, length", "{frame: amr, length", "view.stages[0].frame", "no frame", '"arm"'),
    "force arrows": ("forces: 5 mm per N", "forces: 5 mm", "view.forces", "no unit", "per N"),
    "no length of torques": ("torques: 0.1 m", "torques: 0 m", "view.torques", "more than zero", ""),
    "mesh unit": ("file: hull.stl, unit: mm", "file: hull.stl", "bodies.hull.shape.unit", "unit", "mm"),
    "mesh kind": ("file: hull.stl", "file: hull.csv", "bodies.hull.shape.file", ".csv", ".stl"),
}
