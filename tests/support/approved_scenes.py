"""What is drawn for the approved pictures: one tiny scene for each visual, and each example at a telling time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from framescope.app.session.scene_lookup import example_names, example_path
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.schema.model import Scene
from framescope.ui.scene_view.base.visual import VIDEO, WINDOW, Decorations
from framescope.ui.theme.tokens import DARK, LIGHT, Theme


@dataclass(frozen=True)
class Case:
    """A picture: its name, and where the scene comes from."""

    name: str
    text: str | None = None
    path: Path | None = None
    t: float = 0.0
    theme: Theme = DARK
    decorations: Decorations = WINDOW
    selected: str | None = None
    visual: str | None = None
    """The visual that it is made for."""
    is_faulty: bool = False
    """Whether its problems are meant, and marked."""

    def scene(self) -> tuple[Scene, Path | None]:
        """Return the scene, and the folder of its files."""
        if self.path is not None:
            return load_scene(self.path).scene, self.path.parent
        return parse_scene(f"framescope: 1\n{self.text}")[0], None


FRAME = "world: {triad: false, label: false}"
NEAR = "camera: {position: [1, -1.6, 0.9], focal_point: [0, 0, 0.1], unit: m}"
HIDE = "labels: false, links: false"

TURNED = "part: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [40, 50, 30], unit: deg}}"
HUNG = """\
frames:
  block: {parent: world, position: {value: [0, 0, 0.3], unit: m}, motion: {form: simulated, model: finite}}
bodies:
  block: {frame: block, shape: {form: box, size: [30, 20, 6], unit: cm}, mass: 2 kg, inertia: uniform}
points:
  A: {body: block, kind: XYZ, offset: {value: [15, 10, 0], unit: cm}}
  B: {body: block, kind: XYZ, offset: {value: [-15, 10, 0], unit: cm}}
  C: {body: block, kind: Z, offset: {value: [0, -10, 0], unit: cm}}
elements:
  spring A: {form: spring, point: A, stiffness: 1 kN/m}
  spring B: {form: spring, point: B, stiffness: 1 kN/m}
  spring C: {form: spring, point: C, stiffness: 1 kN/m}
  push: {form: force, point: A, signal: [0, 8, 0], unit: N}
gravity: {value: [0, 0, -9.81], unit: m/s²}
time: {start: 0 s, end: 0.5 s}
"""

VISUALS = {
    "Grid": f"view: {{triads: false, {HIDE}, grid: 0.2 m, {NEAR}}}",
    "Links": "frames: {a: {parent: world, position: {value: [0.4, 0, 0.4], unit: m}}, "
    "b: {parent: a, position: {value: [-0.8, 0, 0], unit: m}}}\n"
    f"view: {{triads: false, labels: false, {NEAR}}}",
    "Selection": f"frames: {{{TURNED}}}\nview: {{triad_length: 0.4 m, {HIDE}, frames: {{{FRAME}}}, {NEAR}}}",
    "Rings": f"frames: {{{TURNED}}}\nview: {{triads: false, {HIDE}, rings: [{{frame: part, radius: 0.4 m}}], {NEAR}}}",
    "Bodies": f"""\
bodies:
  box: {{frame: world, color: x, position: {{value: [-0.4, 0, 0.1], unit: m}},
    shape: {{form: box, size: [20, 12, 8], unit: cm}}}}
  cylinder: {{frame: world, color: y, position: {{value: [-0.1, 0, 0.1], unit: m}},
    shape: {{form: cylinder, radius: 6 cm, height: 20 cm}}}}
  sphere: {{frame: world, color: z, opacity: 0.5, position: {{value: [0.12, 0, 0.1], unit: m}},
    shape: {{form: sphere, radius: 8 cm}}}}
  cone: {{frame: world, color: frame, position: {{value: [0.4, 0, 0], unit: m}},
    shape: {{form: cone, radius: 8 cm, height: 20 cm}}}}
  frustum: {{frame: world, position: {{value: [-0.1, 0.3, 0.3], unit: m}},
    shape: {{form: frustum, depth: 20 cm, width: 16 cm, height: 9 cm}}}}
  arrow: {{frame: world, position: {{value: [0.2, -0.3, 0], unit: m}},
    shape: {{form: arrow, length: 30 cm, radius: 1 cm}}}}
view: {{triads: false, {HIDE}, {NEAR}}}
""",
    "Elements": f"{HUNG}view: {{triads: false, {HIDE}, {NEAR}}}",
    "Points": f"{HUNG}view: {{triads: false, {HIDE}, {NEAR}}}",
    "Triads": f"frames: {{{TURNED}, side: {{parent: world, position: {{value: [0.5, 0, 0], unit: m}}}}}}\n"
    f"view: {{triad_length: 0.3 m, {HIDE}, frames: {{{FRAME}}}, {NEAR}}}",
    "MeasuredGhosts": f"frames: {{{TURNED}}}\n"
    "measured: {surveyed: {form: pose, of: part, relative_to: world, "
    "position: {value: [0.3, 0.1, 0.1], unit: m}, "
    "orientation: {form: axes, sequence: XYZ, angles: [30, 20, 0], unit: deg}}}\n"
    f"view: {{{HIDE}, frames: {{{FRAME}}}, {NEAR}}}",
    "ForceArrows": f"{HUNG}view: {{triads: false, {HIDE}, forces: 20 mm per N, torques: 200 mm per N m, {NEAR}}}",
    "SensorArrows": "frames: {disc: {parent: world, orientation: {form: axis, axis: z, angle: 2*t, unit: rad}}, "
    "bug: {parent: disc, position: {value: [0.3, 0, 0.1], unit: m}}}\n"
    "sensors: {motion: {form: absolute, frame_a: bug, get_v: true, get_w: true, "
    "arrows: {v: 0.5 m per m/s, w: 0.1 m per rad/s}}}\n"
    f"view: {{{HIDE}, triad_length: 0.1 m, frames: {{{FRAME}}}, {NEAR}}}",
    "Trails": 'frames: {fly: {parent: world, position: {value: ["0.4*cos(3*t)", "0.4*sin(3*t)", "0.1*t"], unit: m}}}\n'
    f"view: {{triads: false, {HIDE}, trails: [{{frame: fly, duration: 2 s}}], {NEAR}}}",
    "Arcs": f"frames: {{{TURNED}}}\nview: {{triads: false, {HIDE}, arcs: [{{frame: part, radius: 0.45 m}}], {NEAR}}}",
    "IntermediateFrames": "frames: {part: {parent: world, orientation: {form: axes, sequence: XYZ, "
    'angles: [40, 50, "30*t"], unit: deg}}}\n'
    f"view: {{triad_length: 0.4 m, {HIDE}, stages: [{{frame: part}}], {NEAR}}}",
    "AxisLetters": f"frames: {{{TURNED}}}\nview: {{triad_length: 0.4 m, {HIDE}, frames: {{{FRAME}}}, {NEAR}}}",
    "Labels": "frames: {upper arm: {parent: world, position: {value: [0.4, 0, 0.3], unit: m}}, "
    "hand: {parent: upper arm, position: {value: [0.02, 0, 0.02], unit: m}}}\n"
    f"view: {{triads: false, links: false, {NEAR}}}",
    "ViewCube": f"view: {{triads: false, {HIDE}, {NEAR}}}",
    "ArrowScales": "frames: {cart: {parent: world, position: {value: [0.2*t, 0, 0], unit: m}}}\n"
    "sensors: {speed: {form: absolute, frame_a: cart, get_v: true, arrows: {v: 0.5 m per m/s}}}\n"
    f"view: {{triads: false, {HIDE}, {NEAR}}}",
    "Overlay": f"title: A title\nsource: Where it comes from\nview: {{triads: false, {HIDE}, {NEAR}}}",
    "ProblemTints": f"""\
frames:
  rig: {{parent: world, position: {{value: [-0.45, 0, 0.1], unit: m}},
    orientation: {{form: matrix, maps: frame to parent, rows: [[0, 1, 0], [1, 0, 0], [0, 0, 1]]}}}}
  part: {{parent: world, position: {{value: [0.35, 0, 0.1], unit: m}}}}
bodies:
  can: {{frame: rig, shape: {{form: cylinder, radius: 10 cm, height: 20 cm}}}}
  box: {{frame: part, shape: {{form: box, size: [20, 20, 10], unit: cm}}}}
measured:
  survey: {{form: pose, of: part, relative_to: rig, position: {{value: [0.1, 0.7, 0.1], unit: m}}}}
view: {{triads: false, {HIDE}, {NEAR}}}
""",
    "Notes": f"frames: {{{TURNED}}}\n"
    "notes: {tip: {text: 'A **point** of part', frame: part, position: {value: [0.2, 0, 0], unit: m}}, "
    "rule: {text: 'Here $\\frac{a}{b}$ stands', at: [0.25, 0.8], size: small}}\n"
    f"view: {{{HIDE}, frames: {{{FRAME}}}, {NEAR}}}",
    "SelectedAxes": f"frames: {{{TURNED}}}\n"
    "bodies: {box: {frame: part, shape: {form: box, size: [50, 50, 50], unit: cm}}}\n"
    f"view: {{triad_length: 0.4 m, {HIDE}, frames: {{{FRAME}}}, {NEAR}}}",
}
"""By the name of the visual; the world's triad is drawn where nothing says otherwise."""

AT = {
    "IntermediateFrames": 1.0,
    "Trails": 2.5,
    "SensorArrows": 0.4,
    "ArrowScales": 1.0,
    "ForceArrows": 0.1,
    "Overlay": 1.25,
}
SELECTED = {"Selection": "part", "SelectedAxes": "part"}
FURNITURE = {"Overlay": VIDEO}
UNSEEN = {
    "AlignedPaths": "appears when two pose streams are aligned",
    "Hovered": "appears when the pointer is over a frame",
    "AlsoSelected": "appears when several frames are selected",
    "MeasuringLine": "appears when two things are chosen",
    "Manipulator": "appears when a frame is chosen",
    "LitLine": "appears when an axis or an arrow is lit",
    "MendGhosts": "appears when the problem of a rig is chosen",
    "Candidates": "appears when findings of the convention detective are chosen",
    "JointVelocities": "appears when it is asked what joints do to a frame",
    "ShiftArrows": "appears while the shift panel is seen",
    "ExampleVector": "appears while a rotation is shown turn by turn",
    "StaleFramesVisual": "appears in a gap of a bag",
    "StagedTurns": "appears while a rotation is shown turn by turn",
}
"""Visuals that draw nothing of a scene alone, and why; they have tests of their own."""

EXAMPLES_AT = {
    "aircraft": 5.3,
    "demo": 26.4,
    "drift": 8.0,
    "field": 3.0,
    "gimbal-film": 5.0,
    "gimbal-lock": 5.0,
    "keyframes": 3.3,
    "pendulum": 1.1,
    "recorded-camera": 12.0,
    "robot-arm": 4.0,
    "sensor": 2.2,
    "spatial-velocity": 2.0,
    "tennis-racket": 9.0,
    "three-springs": 1.3,
}
"""When an example tells most, s; another one is drawn in the middle of its time."""


DRAWN_ELSEWHERE = frozenset({"gimbal-film"})
"""Examples whose scene is that of another one; tests of the feature films draw them."""


def cases() -> dict[str, Case]:
    """Return all pictures by name."""
    made = [
        Case(
            f"visual-{name}",
            text,
            t=AT.get(name, 0.0),
            # Both themes are used, half and half.
            theme=(DARK, LIGHT)[i % 2],
            decorations=FURNITURE.get(name, WINDOW),
            selected=SELECTED.get(name),
            visual=name,
            is_faulty=name == "ProblemTints",
        )
        for i, (name, text) in enumerate(VISUALS.items())
    ]
    for i, name in enumerate(sorted(set(example_names()) - DRAWN_ELSEWHERE)):
        t = EXAMPLES_AT.get(name, -1.0)
        made.append(
            Case(f"example-{name}", path=example_path(name), t=t, theme=(LIGHT, DARK)[i % 2], decorations=VIDEO)
        )
    return {case.name: case for case in made}
