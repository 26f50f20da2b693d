"""Scenes as data: build, load, edit, evaluate and save a scene in code.

`Scene` is the document in memory and in the file. It consists of frozen pydantic models that reject unknown keys. Code
that works with scenes needs only the names below.

Examples
--------
>>> from framescope.core.scene import Axes, Frame, Position, Scene, parse_scene, scene_text, with_item
>>> scene = Scene(title="One arm", frames={"arm": Frame(parent="world")})
>>> rotating = Frame(parent="world", orientation=Axes(sequence="ZYX", angles=("30*t", 0, 0), unit="deg"))
>>> scene = with_item(scene, "frames", "arm", rotating)
>>> parse_scene(scene_text(scene))[0] == scene
True
"""

from __future__ import annotations

from framescope.core.scene.edits.base import Edit, with_item, without_item
from framescope.core.scene.files.loading import LoadedScene, load_scene, parse_scene
from framescope.core.scene.files.saving import save_scene, scene_text
from framescope.core.scene.schema.bodies import (
    Arrow,
    Body,
    Box,
    CameraShape,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    EquidistantDistortion,
    Frustum,
    Inertia,
    MeshFile,
    PointsFile,
    RadtanDistortion,
    RationalDistortion,
    Sphere,
    Torus,
)
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import Frame, ParentKey, Scene, TimeRange
from framescope.core.scene.schema.motions import (
    AngularVelocity,
    BagParent,
    Joint,
    JointRecording,
    Key,
    Keyframes,
    Live,
    Recorded,
    Rest,
    Simulated,
    Transforms,
    Unconnected,
    Velocity,
)
from framescope.core.scene.schema.points import (
    ForceElement,
    Gravity,
    Offset,
    Point,
    Simulation,
    SpringElement,
    VelocityElement,
)
from framescope.core.scene.schema.poses import (
    Axes,
    Axis,
    Extrinsic,
    Integrated,
    MatrixForm,
    NxNy,
    NxNz,
    Planar,
    Position,
    QuaternionForm,
    Rpy,
)
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.robots import RobotFile
from framescope.core.scene.schema.sensors import AbsoluteSensor, Arrows, RecordedSensor, RelativeSensor
from framescope.core.scene.schema.sources import PoseSource
from framescope.core.scene.schema.view import Camera, CameraKey, CameraPath, FrameLook, Note, Plot, Rings, Trail, View

__all__ = [
    "AbsoluteSensor",
    "AngularVelocity",
    "Arrow",
    "Arrows",
    "Axes",
    "Axis",
    "BagParent",
    "Body",
    "Box",
    "Camera",
    "CameraKey",
    "CameraPath",
    "CameraShape",
    "Capsule",
    "Cone",
    "Cylinder",
    "Edit",
    "Ellipsoid",
    "EquidistantDistortion",
    "Extrinsic",
    "ForceElement",
    "Frame",
    "FrameLook",
    "Frustum",
    "Gravity",
    "Inertia",
    "Integrated",
    "Joint",
    "JointRecording",
    "Key",
    "Keyframes",
    "Live",
    "LoadedScene",
    "MatrixForm",
    "MeasuredPose",
    "MeasuredVector",
    "MeshFile",
    "Note",
    "NxNy",
    "NxNz",
    "Offset",
    "ParentKey",
    "Planar",
    "Plot",
    "Point",
    "PointsFile",
    "PoseSource",
    "Position",
    "Quantity",
    "QuaternionForm",
    "RadtanDistortion",
    "RationalDistortion",
    "Recorded",
    "RecordedSensor",
    "RelativeSensor",
    "Rest",
    "Rings",
    "RobotFile",
    "Rpy",
    "Scene",
    "Simulated",
    "Simulation",
    "Sphere",
    "SpringElement",
    "TimeRange",
    "Torus",
    "Trail",
    "Transforms",
    "Unconnected",
    "Velocity",
    "VelocityElement",
    "View",
    "load_scene",
    "parse_scene",
    "save_scene",
    "scene_text",
    "with_item",
    "without_item",
]
