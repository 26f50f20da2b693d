"""Scenes that have, all together, every model of the schema with every one of its fields; and a table of faults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

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
      orientation_bandwidth: 4 Hz
      start: -0.1 s
      columns:
        time: time
        time_unit: ms
        position: [x, y, z]
        position_unit: mm
        orientation: {form: axes, columns: [yaw, pitch, roll], sequence: ZYX, unit: deg, counts: clockwise}
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
    get_s: true
    frame_resolve: base
    sequence: ZXZ
    guess_angle1: 10 deg
    arrows: {v: 0.2 m per m/s, a: 0.1 m per m/s², w: 0.1 m per rad/s, z: 50 mm per rad/s², s: 20 mm per m/s²}
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
    source: {file: rig.yaml, entry: tip.T_BS, maps: parent to frame}
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
  answers:
    - {signal: velocity, of: tip, relative_to: base, resolved_in: arm, unit: m/s, components: [norm]}
    - {signal: angles, of: tip, relative_to: world, sequence: ZYX, unit: deg, form: sentence}
    - {signal: sensor, of: on tip}
    - {signal: energy, unit: J, form: number}
"""

REST = """\
framescope: 1
title: The rest
time: {start: 0 s, end: 2 s}
parameters: {rate: 30}
robots:
  gripper: {form: urdf, file: gripper.urdf, packages: [{name: gripper_parts, folder: parts}]}
frames:
  table:
    parent: world
    position: {value: [0, 0, 0.4], unit: m}
    orientation: {form: planar, axis: [0, 0.6, 0.8], angle: "rate*t", unit: deg}
  crate:
    parent: table
    parent_keys: [{time: 500 ms, parent: shelf}, {time: 1.5 s, parent: world}]
    orientation: {form: nxy, n_x: [1, 0.1, 0], n_y: [0, 1, 0]}
  shelf:
    parent: world
    position: {value: [-1, 0, 0], unit: m}
    orientation: {form: nxz, n_x: [0, 1, 0], n_z: [0, 0.1, 1]}
  mast:
    parent: shelf
    orientation: {form: rpy, angles: [0, "0.1*sin(rate*t)", 1.5], unit: rad}
  dish:
    parent: mast
    orientation: {form: extrinsic, sequence: zxz, angles: [10, 20, "rate*t"], unit: deg}
  mirror:
    parent: shelf
    orientation: {form: matrix, maps: frame to parent, rows: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}
    source: {file: rig.yaml, entry: mirror.T_BS, maps: frame to parent}
  top:
    parent: world
    orientation:
      form: integrated
      w: ["0.2*sin(3*t)", 0, 90]
      unit: deg/s
      equation: quaternion
      method: rk4
      step: 10 ms
      renormalize: true
      start: {form: axis, axis: x, angle: 10, unit: deg}
  by quaternion:
    parent: world
    motion:
      form: recorded
      file: rows.csv
      format: table
      rows: {column: who, value: drone}
      every: 2
      pose: parent in frame
      smooth: pose
      bandwidth: 4 Hz
      mends: [drop missing, keep sign]
      columns:
        {time: t, time_unit: s, position: [x, y, z], position_unit: m,
        orientation: {form: quaternion, columns: [qx, qy, qz, qw], order: xyzw, maps: parent to frame}}
  by matrix:
    parent: world
    motion: {form: recorded, file: rows.csv, format: table, bandwidth: 4 Hz, columns: {time: t, time_unit: s,
      orientation: {form: matrix, maps: frame to parent, columns: [r1, r2, r3, r4, r5, r6, r7, r8, r9]}}}
  by heading:
    parent: world
    motion: {form: recorded, file: rows.csv, format: table, bandwidth: 4 Hz, columns: {time: t, time_unit: s,
      position: [x, y], position_unit: m, orientation: {form: heading, column: heading, unit: deg, counts: compass}}}
  by vector:
    parent: world
    motion: {form: recorded, file: rows.csv, format: table, bandwidth: 4 Hz, columns: {time: t, time_unit: s,
      orientation: {form: rotation vector, columns: [vx, vy, vz], unit: rad, maps: parent to frame}}}
  by matrices of a rate:
    parent: world
    motion: {form: recorded, file: poses.txt, format: kitti, rate: 10 Hz, bandwidth: 2 Hz}
  by matrices of times:
    parent: world
    motion: {form: recorded, file: poses.txt, format: kitti, times: times.txt, bandwidth: 2 Hz}
  map: {parent: world, motion: {form: unconnected}, position: {value: [2, 2, 0], unit: m}}
  robot:
    parent: map
    motion:
      form: transforms
      file: drive.bag
      frame: base_link
      also: [/base_link, Base_Link]
      namespace: /r1
      parents: [{name: odom, frame: map}, {name: map, frame: map}]
      zero: "1700000000.000000000"
      received_from: "1700000000.000000000"
      received_until: "1700000002.000000000"
      without: ["1700000001.000000000"]
      normalize: true
  by poses: {parent: map, motion: {form: transforms, file: drive.bag, frame: pose, topic: /pose}}
  base: {parent: world}
  finger:
    parent: base
    position: {value: [0, 0, 0.1], unit: m}
    motion:
      {form: joint, name: left, type: prismatic, axis: [0, 1, 0], value: "10*sin(t)", unit: mm, lower: -40, upper: 40}
  thumb:
    parent: base
    motion:
      form: joint
      type: revolute
      value: 0
      unit: rad
      recording: {file: rows.csv, column: heading, time: t, time_unit: s, start: 100 ms, factor: 0.01, offset: 0.2}
  wrist:
    parent: thumb
    motion: {form: joint, type: revolute, unit: rad, recording: {file: drive.bag, column: wrist, topic: /joints}}
  left cart: {parent: world, position: {value: [0, 3, 0], unit: m}, motion: {form: simulated, model: finite,
    rest: {orientation: {form: axis, axis: z, angle: 0, unit: deg}}}}
  right cart: {parent: world, position: {value: [1, 3, 0], unit: m}, motion: {form: simulated, model: finite}}
  third cart: {parent: world, position: {value: [2, 3, 0], unit: m}, motion: {form: simulated, model: finite}}
  swing:
    parent: world
    motion: {form: keyframes, unit: m, interpolation: linear, ends: rest, keys: [{time: 0 s, position: [0, 0, 1]},
      {time: 1 s, position: [0, 1, 1]}]}
bodies:
  left box: {frame: left cart, shape: {form: box, size: [0.2, 0.2, 0.2], unit: m}, mass: 1 kg, inertia: uniform}
  right box: {frame: right cart, shape: {form: box, size: [0.2, 0.2, 0.2], unit: m}, mass: 2 kg, inertia: uniform}
  third box: {frame: third cart, shape: {form: box, size: [0.2, 0.2, 0.2], unit: m}, mass: 3 kg,
    inertia: {value: [[0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.03]], unit: kg m²}}
  can: {frame: table, shape: {form: cylinder, radius: 5 cm, height: 12 cm}, role: visual}
  hat: {frame: crate, shape: {form: cone, radius: 10 cm, height: 20 cm}}
  egg: {frame: crate, shape: {form: ellipsoid, radii: [0.1, 0.1, 0.15], unit: m},
    position: {value: [0, 0, 0.3], unit: m}, orientation: {form: axis, axis: x, angle: 90, unit: deg}}
  pill: {frame: shelf, shape: {form: capsule, radius: 4 cm, length: 10 cm}}
  tyre: {frame: shelf, shape: {form: torus, ring_radius: 8 cm, tube_radius: 2 cm}}
  eye: {frame: top, shape: {form: frustum, depth: 30 cm, width: 40 cm, height: 30 cm}}
  cam0: {frame: top, shape: {form: camera, resolution: [752, 480], focal_lengths: [458.6, 457.3],
    principal_point: [367.2, 248.4], depth: 10 cm, picture: seen.png,
    distortion: {form: radtan, k1: -0.28, k2: 0.07, p1: 0.0002, p2: 0.00002, k3: 0.001}}}
  cam1: {frame: shelf, shape: {form: camera, resolution: [640, 480], focal_lengths: [600, 600],
    principal_point: [320, 240], depth: 10 cm,
    distortion: {form: rational, k1: 0.6, k2: 0.1, p1: 0.0001, p2: -0.0002, k3: 0.003, k4: 0.9, k5: 0.2, k6: 0.01}}}
  cam2: {frame: crate, shape: {form: camera, resolution: [512, 512], focal_lengths: [190.9, 190.8],
    principal_point: [254.9, 256.9], depth: 10 cm,
    distortion: {form: equidistant, k1: 0.0034, k2: 0.0007, k3: -0.002, k4: 0.0002}}}
  plank: {frame: shelf, shape: {form: mesh, file: plank.stl, unit: mm, scale: [1, 1, -1]}}
  dust: {frame: shelf, shape: {form: points, file: dust.ply, unit: cm}, color: own}
points:
  left end: {body: left box, kind: XYZ, offset: {value: [0.1, 0, 0], unit: m}}
  right start: {body: right box, kind: XYZ, offset: {value: [-0.1, 0, 0], unit: m}}
  right end: {body: right box, kind: XYZ, offset: {value: [0.1, 0, 0], unit: m}}
  third start: {body: third box, kind: XYZ, offset: {value: [-0.1, 0, 0], unit: m}}
elements:
  bumper: {form: spring, point: left end, to: right start, stiffness: 20 N/m, damping: 1 N s/m}
  shove: {form: force, point: left end, to: right start, signal: [0.1, 0, 0], unit: N}
  coupling: {form: velocity, point: right end, to: third start, signal: [0, 0, 0], unit: m/s}
sensors:
  head: {form: absolute, frame_a: top, get_r: false, get_w: true, resolve_in_frame_a: true, animation: true}
  grip:
    {form: recorded, frame_a: finger, quantity: force, unit: N, file: rows.csv, time: t, time_unit: s,
    values: [x, y, z], start: 100 ms, animation: true, arrow: 2 mm}
  valves: {form: recorded, file: rows.csv, time: t, time_unit: s, values: [heading, qw], unit: bar}
  above: {form: relative, frame_a: table, frame_b: crate, get_r_rel: true, get_a_rel: true, get_z_rel: true,
    get_angles: true, resolve_in: table, sequence: ZYX, guess_angle1: 5 deg, animation: false,
    arrows: {v: 1 mm per m/s, a: 1 mm per m/s², w: 1 mm per rad/s, z: 1 mm per rad/s²}}
measured:
  wind: {form: velocity, of: robot, relative_to: map, resolved_in: map, unit: m/s, file: rows.csv, time: t,
    time_unit: s, values: [x, y, z], start: 0.1 s, mends: [drop missing], tolerance: 0.5}
notes:
  word: {text: "**Crate** $x$", frame: crate, position: {value: [0, 0, 0.2], unit: m}, at: [0.4, 0.3], size: large,
    start: 0 s, end: 1 s}
  later: {text: Later, at: [0.5, 0.9], start: 1 s}
simulation: {method: dop853, tolerance: 1e-3}
film:
  teaser:
    title: A crate
    size: [320, 180]
    fps: 10
    sound: hum.wav
    clock: true
    subtitles: {language: en-GB, burnt: true}
    shots:
      - title: First
        start: 0.2 s
        end: 1 s
        duration: 2 s
        easing: ease in
        freeze: 0.5 s
        camera: {form: orbit, blend: 1 s, angle: 90 deg, easing: ease in and out,
          pose: {position: [3, -3, 2], focal_point: [0, 0, 0.3], unit: m}}
        items:
          - {look: faint, opacity: 0.4, start: 0.5 s, end: 1.5 s, fade: 0.2 s, frames: [crate], bodies: [eye],
            points: [left end], elements: [shove], sensors: [valves], measured: [wind], notes: [later], parts: []}
        insets:
          - {plot: 1, place: lower right, width: 0.4, draws: true, start: 0 s, end: 1 s, fade: 0.1 s}
          - {curves: {signal: specific force, of: crate, resolved_in: crate, unit: m/s²}}
          - {answer: {signal: specific force, of: crate, resolved_in: crate, unit: m/s²}}
          - {panel: readouts, of: crate}
        texts:
          - {text: "$x$", form: lower third, below: more, place: top, at: [0.5, 0.5], size: large, start: 0 s,
            end: 1 s, fade: 0 s}
        staged: {frame: crate, turns: [0, 3], axes: moving, pause: 0 s}
      - {start: 1 s, speed: 0.5, end: 1.2 s, camera: {form: scene, blend: 0 s},
        transition: {form: fade, duration: 0.2 s}}
      - {duration: 1 s, camera: {form: pose, blend: 0 s, position: [3, -3, 2], focal_point: [0, 0, 0.3],
        up: [0, 0, 1], unit: m, view_angle: 30 deg}}
      - {duration: 1 s, camera: {form: follow, blend: 0 s, frame: crate, turning: true,
        pose: {position: [3, -3, 2], focal_point: [0, 0, 0.3], unit: m}}}
      - {duration: 1 s, camera: {form: dolly, blend: 0 s, to: [crate], duration: 1 s, distance: 1.5,
        easing: linear, pose: {position: [3, -3, 2], focal_point: [0, 0, 0.3], unit: m}}}
      - {duration: 1 s, camera: {form: path, blend: 0 s, unit: m, keys: [
        {time: 0 s, position: [3, -3, 2], focal_point: [0, 0, 0.3], up: [0, 0, 1], view_angle: 40 deg,
        easing: linear}]}}
    end_card: {title: End, text: More, licence: CC BY 4.0, duration: 1 s,
      transition: {form: cross-fade, duration: 0.5 s}}
view:
  camera: {position: [3, -3, 2], focal_point: [0, 0, 0.3], up: [0, 0, 1], unit: m}
  camera_path:
    unit: m
    interpolation: linear
    keys:
      - {time: 0 s, position: [3, -3, 2], focal_point: [0.5, 0, 0.3], up: [0, 0.1, 1]}
      - {time: 2 s, position: [3, 3, 2], focal_point: [0.5, 0, 0.3]}
  triad_length: 15 cm
  grid: 1 m
  triads: true
  thin_triads: false
  labels: true
  links: false
  frames: {crate: {triad: true, label: false, link: true, length: 30 cm}}
  hidden: {frames: [mirror], bodies: [eye], points: [left end], elements: [shove], sensors: [valves],
    measured: [wind], notes: [later]}
  plots:
    - {signal: specific force, of: crate, resolved_in: crate, unit: m/s²}
    - {signal: sensor, of: valves}
    - {signal: sensor, of: grip, components: [x, norm]}
    - signal: position
      title: How far the robot came
      of: robot
      relative_to: robot
      resolved_in: map
      through: map
      delay: 0.2 s
      unit: m
      also:
        - {signal: position, of: robot, relative_to: robot, resolved_in: robot, through: map, delay: 0.1 s, unit: m,
          components: [x]}
    - signal: angles
      of: table
      relative_to: world
      sequence: ZYX
      unit: deg
      also: [{signal: angles, of: top, relative_to: world, sequence: ZXZ, unit: deg, wrapped: [angle 1]}]
    - {signal: angles, of: table, relative_to: world, sequence: ZYX, unit: deg, wrapped: [angle 1]}
    - {signal: residues, of: top}
  answers:
    - {signal: angles, of: table, relative_to: world, sequence: ZYX, unit: deg, wrapped: [angle 1]}
    - signal: position
      of: robot
      relative_to: robot
      resolved_in: robot
      through: map
      delay: 0.1 s
      unit: m
      form: sentence
"""
"""What `WHOLE` has no room for."""

LIVE = """\
framescope: 1
title: Live
time: {start: 0 s, end: 1 s}
frames:
  cart: {parent: world, motion: {form: live, series: cart}}
"""
"""What only a program can feed."""

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


URDF = """\
<robot name="gripper">
  <link name="base"/>
  <link name="finger"/>
  <joint name="left" type="prismatic">
    <parent link="base"/><child link="finger"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-0.04" upper="0.04" effort="10" velocity="1"/>
  </joint>
</robot>
"""


PLY = """\
ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
end_header
0 0 1 255 0 0
1 0 1 0 255 0
0 1 1 0 0 255
"""


def write_rest(folder: Path, text: str = REST) -> Path:
    """Write the scene of the rest and the files that it names; return its path."""
    t = np.arange(0.0, 2.3, 0.02)
    rows = ["who,t,x,y,z,qx,qy,qz,qw,r1,r2,r3,r4,r5,r6,r7,r8,r9,heading,vx,vy,vz"]
    for x in t:
        sine, cosine = np.sin(x), np.cos(x)
        quaternion = (0.0, 0.0, np.sin(x / 2.0), np.cos(x / 2.0))
        matrix = (cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0)
        numbers = (x, x, x * x, 0.5, *quaternion, *matrix, 40.0 * x, 0.0, 0.0, x)
        rows.append("drone," + ",".join(f"{number:.9f}" for number in numbers))
    (folder / "rows.csv").write_text("\n".join(rows) + "\n")
    poses = [f"1 0 0 {0.1 * i:.2f} 0 1 0 0 0 0 1 0" for i in range(21)]
    (folder / "poses.txt").write_text("\n".join(poses) + "\n")
    (folder / "times.txt").write_text("".join(f"{0.1 * i:.2f}\n" for i in range(21)))
    (folder / "plank.stl").write_text(STL)
    (folder / "dust.ply").write_text(PLY)
    Image.new("RGB", (8, 6), "gray").save(folder / "seen.png")
    (folder / "hum.wav").write_bytes(b"RIFF")
    (folder / "gripper.urdf").write_text(URDF)
    _write_drive(folder / "drive.bag")
    path = folder / "rest.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _write_drive(path: Path) -> None:
    """Write a bag of a robot that drives along x for 2 s: its transforms, its poses and a joint."""
    if path.exists():
        return
    from tests.support.bags import NS, START_NS, Other, Sent, write_ros1

    sent: list[Sent | Other] = []
    for i in range(41):
        stamp, x = START_NS + i * NS // 20, 0.05 * i
        sent.append(Sent(stamp, "odom", "base_link", (x, 0, 0), (0, 0, 0, 1), topic="/r1/tf"))
        at = ("geometry_msgs/msg/Point", {"x": x, "y": 0.0, "z": 0.0})
        level = ("geometry_msgs/msg/Quaternion", {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0})
        pose = ("geometry_msgs/msg/Pose", {"position": at, "orientation": level})
        sent.append(
            Other(stamp, "/pose", "geometry_msgs/msg/PoseStamped", {"header": ("header", "odom"), "pose": pose})
        )
        state = {"header": ("header", ""), "name": ["wrist"], "position": np.array([x])}
        nothing = {"velocity": np.array([]), "effort": np.array([])}
        sent.append(Other(stamp, "/joints", "sensor_msgs/msg/JointState", state | nothing))
    write_ros1(path, sent)


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
