"""Short scene texts for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import Scene

if TYPE_CHECKING:
    from framescope.app.session.document import Document

HEAD = "framescope: 1\ntitle: Test\nframes:\n"

GOOD = (
    HEAD
    + """\
  stand:
    parent: world
    position: {value: [0, 0, 0.5], unit: m}
  ring:  # turns
    parent: stand
    orientation: {form: axes, sequence: XYZ, angles: [10, "5*t", -20], unit: deg}
  top:
    parent: ring
    orientation: {form: integrated, w: [0.1, "0.3*t", 2], unit: rad/s, equation: dcm, method: rk4, step: 50 ms}
bodies:
  box: {frame: ring, shape: {form: box, size: [1, 2, 3], unit: cm}}
view:
  rings:
    - {frame: ring, radius: 0.3 m}
  trails:
    - {frame: top, duration: 1 s}
  plots:
    - {signal: residues, of: top}
    - {signal: angular velocity, of: ring, relative_to: stand, resolved_in: ring, unit: deg/s}
"""
)

RECORDED = "{form: recorded, file: wlak.txt, format: tum, bandwidth: 4 Hz}"

# One fault each beside good items that must live on: text, key path, what is said, the hint.
PROBLEMS = {
    "unknown parent": (
        GOOD.replace("parent: stand", "parent: stadn"),
        "frames.ring.parent",
        'there is no frame "stadn"',
        'Did you mean "stand"?',
    ),
    "cycle": (
        GOOD.replace("frames:\n", "frames:\n  a: {parent: c}\n  b: {parent: a}\n  c: {parent: b}\n"),
        "frames.a.parent",
        "the parents run in a circle: a → c → b → a",
        "Give one of them another parent",
    ),
    "wrong sequence": (
        GOOD.replace("sequence: XYZ", "sequence: XYY"),
        "frames.ring.orientation.sequence",
        '"XYY" is no axis sequence',
        "Did you mean",
    ),
    "missing unit": (
        GOOD.replace('angles: [10, "5*t", -20], unit: deg', 'angles: [10, "5*t", -20]'),
        "frames.ring.orientation.unit",
        "the unit of this angle is missing",
        "Add one of: rad, deg, turn, mrad.",
    ),
    "missing unit of a step": (
        GOOD.replace("step: 50 ms", "step: 50"),
        "frames.top.orientation.step",
        "the unit of this time is missing",
        "Add one of: s, ms, min.",
    ),
    "missing file": (
        GOOD.replace("frames:\n", f"frames:\n  walk: {{parent: world, motion: {RECORDED}}}\n"),
        "frames.walk.motion.file",
        "there is no file wlak.txt beside the scene",
        'Did you mean "walk.txt"?',
    ),
}
UNREADABLE = {
    "broken YAML": ("framescope: 1\nframes: [\n", "the YAML is broken", 3),
    "no scene": ("title: nothing\n", "the version is missing", None),
    "unknown version": (GOOD.replace("framescope: 1", "framescope: 7"), "version 7", 1),
    "unknown key": (GOOD.replace("sequence:", "sequnce:"), "unknown key", 9),
    "wrong type": (GOOD.replace("[0, 0, 0.5]", "[0, true, 0.5]"), "expected a number", 6),
    "doubled key": (GOOD.replace("  top:", "  ring:"), "a second time", 10),
    "unknown form": (GOOD.replace("form: axes", "form: axles"), 'Did you mean "axes"?', 9),
}


def scene_of(text: str) -> Scene:
    """Return the scene of a text."""
    return parse_scene(text)[0]


def save(document: Document, path: Path) -> None:
    """Save a document, and wait for it."""
    document.take_written(document.writing(path)())
