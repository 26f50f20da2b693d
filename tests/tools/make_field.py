"""Make the example ``assets/scenes/field.yaml``: a thousand frames on a ripple. Run it to write the file.

Each frame stands at its place in a grid, on the surface ``z = height sin(k r - rate t)`` around the middle, and is
tilted by the slopes of that surface: about x by ``dz/dy``, about y by ``-dz/dx``, taken as angles.
"""

from __future__ import annotations

import math
from pathlib import Path

COLUMNS, ROWS, SPACING_M = 40, 25, 0.16
COUNT = COLUMNS * ROWS
WAVE_NUMBER, RATE, HEIGHT_M = 3.0, 2.0944, 0.14
WAVE_M, SPEED, SLOPE = 2 * math.pi / WAVE_NUMBER, RATE / WAVE_NUMBER, HEIGHT_M * WAVE_NUMBER
PLACE = Path(__file__).parents[2] / "assets" / "scenes" / "field.yaml"

HEAD = f"""\
# A field of {COUNT} frames. They ride on a ripple that runs outwards: each goes up and down by an expression of t, and
# tilts by two more in the sequence XYZ, with a phase of its own. So a wave travels while no frame does: follow one with
# the eye, then a crest. Of sin(k r - rate t), with k = {WAVE_NUMBER:g} rad/m, crests are {WAVE_M:.1f} m apart and run
# at rate / k = {SPEED:.1f} m/s. At every tick all frames are evaluated together, and drawn as one mesh.
# Try: raise `tilt`. At height times k, {SLOPE:.2f} rad, the frames lie on the wave; beyond it they overdo it.
# Written by tests/tools/make_field.py: change that, and run it again.
framescope: 1
title: A field of {COUNT} frames
time: {{start: 0 s, end: 12 s}}
parameters: {{height: {HEIGHT_M}, tilt: {SLOPE:.2f}, rate: {RATE}}}

frames:
"""

VIEW = """\

view:
  camera: {position: [3.1, -5.2, 3.2], focal_point: [0, -0.1, 0.1], unit: m, view_angle: 30 deg}
  camera_path:
    unit: m
    keys:
      - {time: 0 s, position: [3.1, -5.2, 3.2], focal_point: [0, -0.1, 0.1]}
      - {time: 4 s, position: [0.6, -5.2, 1.7], focal_point: [0, 0.1, 0.25]}
      - {time: 8 s, position: [-2.9, -4.9, 2.5], focal_point: [0, 0, 0.15]}
      - {time: 12 s, position: [3.1, -5.2, 3.2], focal_point: [0, -0.1, 0.1]}
  triad_length: 0.12 m
  thin_triads: false
  grid: 0.5 m
  plots:
    - {signal: angles, of: r00 c00, relative_to: world, sequence: XYZ, unit: deg}
    - {signal: velocity, of: r00 c00, relative_to: world, resolved_in: world, unit: m/s}
  # No labels, and no lines to the world.
  labels: false
  links: false
  frames:
    world: {triad: false}
"""


def field_text() -> str:
    """Return the text of the scene."""
    places = {
        f"r{i:02} c{j:02}": (_centred(j, COLUMNS), _centred(i, ROWS)) for i in range(ROWS) for j in range(COLUMNS)
    }
    frames = (_frame(name, x, y) for name, (x, y) in places.items())
    return "".join([HEAD, *frames, VIEW])


def _centred(i: int, count: int) -> float:
    return (i - (count - 1) / 2) * SPACING_M


def _frame(name: str, x: float, y: float) -> str:
    r = max(math.hypot(x, y), 1e-9)  # in the middle there is no direction
    phase = f"{WAVE_NUMBER * r:.3f} - rate*t"
    return f"""\
  {name}:
    parent: world
    position: {{value: [{x:.2f}, {y:.2f}, "0.4 + height*sin({phase})"], unit: m}}
    orientation:
      form: axes
      sequence: XYZ
      angles: ["{y / r:.3f}*tilt*cos({phase})", "{-x / r:.3f}*tilt*cos({phase})", 0]
      unit: rad
"""


if __name__ == "__main__":
    PLACE.write_text(field_text(), encoding="utf-8", newline="\n")
