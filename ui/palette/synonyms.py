"""Synonyms of commands: verbs and names from other programs that users search for."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.system.features import installed_features

OF_KINDS: Mapping[str, str] = {
    "insert": "add new create make put",
    "item": "go to find show pick focus",
    "example": "sample demo tutorial load",
}
"""Synonyms for all commands of a kind."""

_VIDEO = "video film movie animation animate record render mp4 webm gif"
_PICTURE = "image screenshot snapshot photo png"
_MODEL = "model glb gltf usd blender"
_NOTATION = "orientation rotation matrix quaternion euler angles clipboard"
_CODE = "write export snippet program source library notation"
_CAMERA = "camera view viewpoint"
_ZOOM = "zoom centre center all everything home"

_OF_BASE = {
    "New": "create scene file empty document",
    "Open…": "load scene file read browse robot urdf sdf mjcf bag log recording",
    "Examples…": "samples demos gallery tutorials templates",
    "Save": "write store scene file yaml",
    "Save As…": "write copy rename scene file yaml",
    "Reload from the disk": "refresh revert reread file",
    "Export…": f"make create save write render convert {_VIDEO} {_PICTURE} {_MODEL} html web page table csv bundle",
    "Copy the picture": f"{_PICTURE} clipboard",
    "Save a picture…": f"export {_PICTURE} svg jpg",
    "Quit": "exit close leave",
    "Undo": "revert back take back",
    "Redo": "repeat again forward",
    "Rename": "name title",
    "Duplicate": "clone copy",
    "Copy items": "clipboard",
    "Paste items": "clipboard insert",
    "Paste notation": f"{_NOTATION} read parse insert set import",
    "Copy as code: scipy": f"{_NOTATION} {_CODE} python",
    "Copy as code: numpy": f"{_NOTATION} {_CODE} python",
    "Copy as code: ROS tf2, C++": f"{_NOTATION} {_CODE} cpp",
    "Copy as code: Modelica": f"{_NOTATION} {_CODE}",
    "Copy as code: Julia": f"{_NOTATION} {_CODE}",
    "Copy as code: Eigen, C++": f"{_NOTATION} {_CODE} cpp",
    "Copy as code: MATLAB": f"{_NOTATION} {_CODE}",
    "Copy as code: static_transform_publisher, ROS 2": f"{_CODE} pose tf tf2 launch broadcaster",
    "Copy as code: origin, URDF": f"{_CODE} pose xyz rpy joint robot",
    "Copy as code: pose 4×4, numpy": f"{_CODE} homogeneous transform matrix python",
    "Hide or show": "visible invisible visibility eye toggle",
    "Show everything": "unhide visible",
    "Move to…": "reparent parent attach hang",
    "Delete": "remove erase frame item",
    "Delete, child frames stay": "remove erase keep children",
    "Find in the outline": "search filter tree",
    "Angles in degrees": "units deg change",
    "Angles in radians": "units rad change",
    "Settings…": "preferences options configuration customize change defaults",
    "Play or pause": "start stop run animate animation halt clock time",
    "Run the simulation again": "simulate restart integrate physics",
    "Turn axis by axis (staged)": "euler step sequence turn by turn intrinsic active passive animate rotation teach",
    "Fit the scene": f"{_CAMERA} {_ZOOM} out",
    "Fit the selection": f"{_CAMERA} {_ZOOM} in to selected item focus close-up",
    "The scene's own camera": f"reset {_CAMERA} default authored home",
    "Orthographic": f"{_CAMERA} orthogonal parallel perspective projection isometric",
    "Turn and move the selected frame": "rotate translate drag gizmo handles manipulate rings arrows edit pose",
    "Measure between two frames": "distance angle ruler gap",
    "Ask…": "question number curve arrow sentence what velocity acceleration position angles show signal quantity",
    "Plot of a signal…": "add new graph curve chart diagram show angular velocity acceleration position angles",
    "Frame": "coordinate system axes triad reference link",
    "Box": "body shape cuboid cube block",
    "Cylinder": "body shape rod tube",
    "Sphere": "body shape ball",
    "Cone": "body shape",
    "Torus": "body shape ring tyre tire donut wheel",
    "Field of view": "body shape camera frustum pyramid",
    "Calibrated camera": "body shape intrinsics distortion lens image picture pixel opencv kalibr fisheye radtan",
    "Arrow": "body shape vector",
    "Absolute sensor": "measure velocity acceleration imu gyro gyroscope accelerometer",
    "Relative sensor": "measure velocity acceleration",
    "Connection point": "joint attach mechanism",
    "Spring and damper": "element elastic force mechanism",
    "Damper": "element friction force mechanism",
    "Force source": "element load push torque",
    "Velocity source": "element constraint joint hinge motor drive",
    "Measured pose": "measured compare reference ground truth calibration",
    "Build": "place explore edit make",
    "Learn": "place teach lecture lesson",
    "Check": "place debug find faults problems",
    "Reset the layout": "default panels docks windows restore arrange",
    "Large": "panel dock laboratory projector big wide beside alone presentation lecture",
    "Present on the full screen": "fullscreen presentation projector lecture slides beamer",
    "While presenting: Blank the screen": "black dark restore lecture slides beamer projector",
    "While presenting: Ring around the pointer": "mouse cursor laser highlight lecture spotlight",
    "While presenting: Light this": "highlight spotlight axis arrow number row pointer lecture emphasis",
    "While presenting: Keep the plots": "fullscreen presentation projector lecture slides show graphs curves charts",
    "Switch dark and light": "theme mode night day colours colors appearance style",
    "Size of everything: Larger": "bigger increase zoom in font text scale dpi",
    "Size of everything: Smaller": "decrease reduce zoom out font text scale dpi",
    "Search everything": "find palette command",
    "Manual": "help documentation docs guide handbook tutorial",
    "Manual beside the scene": "help documentation docs guide handbook tutorial lesson dock panel",
    "Shortcuts": "keys keyboard hotkeys bindings keymap cheat sheet lesson answers",
    "Log": "messages errors console output traceback",
    "Save a bug report…": "issue error problem feedback crash",
    "About Framescope": "version licence license credits",
    "Outline": "panel tree hierarchy items frames list",
    "Inspector": "panel properties details edit angles sliders",
    "Relation": "panel compare transform relative between frames",
    "Read-outs": "panel numbers values matrix rotation quaternion",
    "Problems": "panel errors warnings faults diagnosis",
    "Timeline": "panel clock time scrub slider",
    "Plots": "panel graphs curves charts",
    "Look from: Top": "camera view above plan",
    "Look from: Bottom": "camera view below",
    "Look from: Front": "camera view",
    "Look from: Back": "camera view behind rear",
    "Look from: Left": "camera view side",
    "Look from: Right": "camera view side",
    "Look from: Isometric": "camera view corner 3d",
}

_OF_FEATURES = {
    **{action.text: action.words for feature in installed_features() for action in feature.actions if action.words},
    **{thing.title: thing.words for feature in installed_features() for thing in feature.insertions if thing.words},
    **{dock.title: dock.words for feature in installed_features() for dock in feature.docks if dock.words},
}

OF_TITLES: Mapping[str, str] = {**_OF_BASE, **_OF_FEATURES}
"""Synonyms by title of the command. A test checks that these titles exist."""


def other_words(title: str, kind: str) -> str:
    """Return the synonyms of a command.

    >>> "video" in other_words("Export…", "file")
    True
    """
    return f"{OF_KINDS.get(kind, '')} {OF_TITLES.get(title, '')}".strip()
