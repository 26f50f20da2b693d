"""Examples that ship with the program: one table, for the gallery, the palette, the commands and the manual."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import get_args

from framescope import assets
from framescope.core.system.features import Example, Use, installed_features

PLACES_OF_USES: Mapping[Use, str] = {"Learn": "Learn", "Check": "Check", "Build": "Build", "Film": "Build"}
"""Place of the window in which the examples of a use open."""

EXAMPLES = (
    Example(
        "scenes/gimbal-lock.yaml",
        "Learn",
        "See two axes of three rings align, and one direction of rotation vanish.",
        ("frames", "arrow"),
        words="gimbal lock singularity euler angles XYZ rings axles",
    ),
    Example(
        "scenes/aircraft.yaml",
        "Learn",
        "Follow the sequence ZYX of aviation, one turn after another.",
        ("frames", "aircraft"),
        words="yaw pitch roll heading attitude euler angles NED airplane plane flight",
    ),
    Example(
        "scenes/sensor.yaml",
        "Learn",
        "Read one velocity in three frames: “in axes of” is not “relative to”.",
        ("frames", "tip"),
        words="velocity components resolved relative gyroscope imu",
    ),
    Example(
        "scenes/spatial-velocity.yaml",
        "Learn",
        "See that a rolling wheel has one angular velocity, and a velocity for each of its points.",
        ("frames", "rim"),
        words="twist rolling wheel angular velocity rigid body screw",
    ),
    Example(
        "scenes/drift.yaml",
        "Learn",
        "Integrate one angular velocity in four ways, and see which of them drift.",
        ("frames", "euler"),
        words="integration euler magnus quaternion normalize rotation matrix error numerical gyroscope",
    ),
    Example(
        "scenes/pendulum.yaml",
        "Learn",
        "Compare a small swing with a large one: the period grows with the angle.",
        ("elements", "hold large"),
        words="simulation physics hinge constraint energy period swing",
    ),
    Example(
        "scenes/three-springs.yaml",
        "Learn",
        "Compare small angles with finite ones on one plate, and see where they part.",
        ("points", "A"),
        words="springs simulation physics stiffness small angle linear model plate",
    ),
    Example(
        "scenes/faulty/misspelt-parent.yaml",
        "Check",
        "Find out why half of a rover is missing.",
        ("frames", "mast_link"),
        "faulty",
        words="parent name typo missing frame tree transform",
    ),
    Example(
        "scenes/faulty/mirrored-matrix.yaml",
        "Check",
        "Find out why no hand can be laid along the axes of a lidar.",
        ("frames", "lidar"),
        "faulty",
        words="mirror left-handed determinant reflection rotation matrix extrinsics mount",
    ),
    Example(
        "scenes/faulty/swapped-order.yaml",
        "Check",
        "Find out why the calibration of a camera misses its frames.",
        ("measured", "calibration"),
        "faulty",
        words="quaternion order wxyz xyzw scalar first convention hand eye loop",
    ),
    Example(
        "scenes/faulty/gyro-frame.yaml",
        "Check",
        "Find out why a gyroscope differs from the motion of its drone.",
        ("measured", "gyro"),
        "faulty",
        words="imu gyroscope rate mismatch resolved drone record",
    ),
    Example(
        "scenes/faulty/shuffled-packets.yaml",
        "Check",
        "Find out why the recorded path of a camera is refused.",
        ("frames", "camera"),
        "faulty",
        words="recording times backward order network packets trajectory repair tum",
    ),
    Example(
        "scenes/recorded-camera.yaml",
        "Check",
        "Smooth one recording in two ways, and see what each does to its rates.",
        ("frames", "quick"),
        words="recording smoothing spline bandwidth filter noise trajectory tum slam",
    ),
    Example(
        "scenes/demo.yaml",
        "Build",
        "Take a recorded camera and a driven gimbal apart: every way to make a frame move, side by side.",
        ("frames", "inner ring"),
        words="demo start overview gimbal expressions",
    ),
    Example(
        "scenes/robot-arm.yaml",
        "Build",
        "Follow a chain of six joints to its tool, and into the singularity of its wrist.",
        ("frames", "joint 5"),
        words="robot arm manipulator kinematics chain wrist singularity tool flange",
    ),
    Example(
        "scenes/keyframes.yaml",
        "Film",
        "Move a block through five poses by keyframes: in steps, straight, or smoothly.",
        ("frames", "smooth"),
        words="keyframe animation interpolation slerp spline steps path",
    ),
    Example(
        "scenes/tennis-racket.yaml",
        "Film",
        "Play a free body that turns over by itself, in slow motion or as a loop.",
        ("frames", "middle"),
        words="dzhanibekov wing nut euler equations unstable spin simulation physics intermediate axis",
    ),
    Example(
        "scenes/field.yaml",
        "Film",
        "Play a wave of a thousand frames, and change its height, tilt and rate.",
        ("frames", "r00 c00"),
        words="many large parameters wave expressions performance",
    ),
)
"""Examples of the base, in their order in the gallery. Features add theirs by their records."""


@cache
def examples() -> tuple[Example, ...]:
    """Return all examples by use, those of the base before those of features."""
    additions = (example for feature in installed_features() for example in feature.examples)
    order = get_args(Use)
    return tuple(sorted((*EXAMPLES, *additions), key=lambda example: order.index(example.use)))


def example_named(name: str) -> Example | None:
    """Return the example of a name; None if there is none."""
    return next((example for example in examples() if example.name == name), None)


def example_at(path: Path) -> Example | None:
    """Return the example in a file; None for a file that is none."""
    resolved = path.resolve()
    return next((example for example in examples() if assets.path(example.file).resolve() == resolved), None)
