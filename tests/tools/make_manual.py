"""Write the pages of the manual that are generated: ``python -m tests.tools.make_manual``.

Each kind of item in a scene file gets the docstring of its model, its keys, and the first example of this kind in the
example scenes or on the page about the scene file. The page about the settings has the rows of their dialog, and the
gestures of each navigation preset.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from framescope import assets
from framescope.app.controllers.setting_rows import ROWS
from framescope.app.session.scene_lookup import example_names, example_path
from framescope.core.readings.makers import MAKERS
from framescope.core.scene.files.json_schema import schema_text
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.quantities import PATTERN
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.dialects.registry import DIALECTS
from framescope.ui.scene_view.interaction.navigation import MOVE_TEXTS, PRESETS

PAGE = "scene-keys"
HEX = "#[0-9a-fA-F]{6}"
TYPES = {
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
}
HEAD = """# The keys of a scene file

This page lists all kinds of items in a scene file, in alphabetical order, each with its keys, their values and their
defaults. Keys without a default are required. [The scene file](scene-file.md) explains how the items work together.

The page is generated from the schema, and the test suite reads its examples.
"""


def page() -> str:
    """Return the text of the page."""
    schema: dict[str, Any] = json.loads(schema_text())
    parts = [HEAD]
    kinds = {"Scene": schema, **dict(sorted(schema["$defs"].items()))}
    examples_by_kind = examples()
    for name, kind in kinds.items():
        if "properties" not in kind:
            continue
        parts.append(f"## {words(name).capitalize()}\n")
        parts.append(f"{plain(kind.get('description', ''))}\n")
        parts.append(table(kind))
        if name in examples_by_kind and name != "Scene":
            parts.append(f"```text\n{example_text(examples_by_kind[name])}```\n")
    return "\n".join(parts)


def table(kind: dict[str, Any]) -> str:
    """Return the keys of one kind as a table."""
    required = kind.get("required", [])
    rows = ["| key | value | default |", "|---|---|---|"]
    for key, field in kind["properties"].items():
        description = plain(field.get("description", ""))
        values = value_text(field) + (f". {description}" if description else "")
        default = "" if key in required else default_text(field.get("default"))
        rows.append(f"| `{key}` | {cell(values)} | {cell(default)} |")
    return "\n".join(rows) + "\n"


def value_text(field: dict[str, Any]) -> str:
    """Return the allowed values of a field in words."""
    if "$ref" in field:
        name = words(field["$ref"].rsplit("/", 1)[-1])
        return f"[{name}](#{name.replace(' ', '-')})"
    for key in ("anyOf", "oneOf"):
        if key in field:
            kinds = [value_text(option) for option in field[key] if option.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{one}`" for one in field["enum"])
    if field.get("type") == "array":
        return array_text(field)
    if isinstance(field.get("additionalProperties"), dict):
        return f"by name: {value_text(field['additionalProperties'])}"
    if "pattern" in field and field["pattern"] != PATTERN:  # one word of several
        return ", ".join(f"`{one}`" for one in field["pattern"].strip("^()$").replace(HEX, "#rrggbb").split("|"))
    if "pattern" in field:
        return "a number with its unit"
    return TYPES.get(field.get("type", ""), "anything")


def array_text(field: dict[str, Any]) -> str:
    """Return the allowed elements of a list in words."""
    if "prefixItems" in field:
        kinds = list(dict.fromkeys(value_text(element) for element in field["prefixItems"]))
        return f"{len(field['prefixItems'])} of: {', '.join(kinds)}"
    return f"a list of: {value_text(field['items'])}" if "items" in field else "a list"


def default_text(value: object) -> str:
    """Return the default of a key in words."""
    if value is None or value in ({}, [], ""):
        return "nothing"
    if isinstance(value, dict):
        is_quantity = set(value) == {"value", "unit"}
        if is_quantity:
            return f"`{value['value']:g} {value['unit']}`"
        is_plain = all(isinstance(one, str) for one in value.values())
        return f"`{', '.join(f'{key}: {one}' for key, one in value.items())}`" if is_plain else "see there"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def examples() -> dict[str, Item]:
    """Return the first item of each kind in the example scenes and in the manual."""
    found: dict[str, Item] = {}
    scenes = [load_scene(example_path(name)).scene for name in example_names() if name != "field"]
    text = (assets.path("manual") / "scene-file.md").read_text("utf-8")
    scenes += [parse_scene(one)[0] for one in re.findall(r"^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]
    for scene in scenes:
        for item in items_in(scene):
            found.setdefault(type(item).__name__, item)
    return found


def items_in(value: object) -> Iterator[Item]:
    """Yield a model and all models in it."""
    if isinstance(value, Item):
        yield value
        for key in type(value).model_fields:
            yield from items_in(getattr(value, key))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from items_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from items_in(inner)


def example_text(item: Item) -> str:
    """Return an item as YAML."""
    data = item.model_dump(exclude_unset=True, mode="json")
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)


def words(name: str) -> str:
    """Return the name of a class as words: AbsoluteSensor is absolute sensor."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def plain(text: str) -> str:
    """Return a description on one line, in Markdown."""
    return " ".join(text.replace("``", "`").split())


def cell(text: str) -> str:
    """Return a text for a cell of a table."""
    return text.replace("|", "\\|")


SETTINGS = "settings"
SETTINGS_HEAD = """# Settings

*Edit, Settings…* (*Ctrl ,*) opens the settings. Each change takes effect at once, and the dialog can stay open
beside the scene. Type to search, also by other words: *euler* finds the sequence. *Reset to usual* appears
beside a setting that you have changed. *Ctrl K* finds every setting by its name. Menus change some of them,
too, and agree with the dialog.

The last line of the dialog is the path of the settings file. The small word beside a title is the key of the
setting in this file; a slash follows the name of its section, such as `[film]`. A value that cannot be read
counts as unset.
"""
SETTINGS_NOTES = """*Size of everything* needs a new start of the window, which Qt cannot scale while it runs:
the window opens again in its place, with the same scene, camera and unsaved changes, and the dialog where it
was.

*Sequence of new frames* is for *Insert, Frame*, new scenes, and a rotation that a drag, a pasted notation or
another motion gives to a frame without one. Frames that have a sequence keep theirs.

*Quaternion order* changes no file and no copied code: each target of *Copy as code* has an order of its own.

A *film* starts in the export dialog with the values that you choose here, else with those of the last export.
What you change in the dialog counts for this film.
"""
NAVIGATION_HEAD = """## Navigation

The camera is moved by drags of the mouse and by two fingers on a touchpad. A preset has the gestures of another
program. In every preset the wheel and a pinch zoom to the pointer, a click selects, a click with the right
button opens the menu, and handles and notes are dragged with the left button.
"""


def settings_page() -> str:
    """Return the text of the page about the settings."""
    parts = [SETTINGS_HEAD]
    for group in dict.fromkeys(row.group for row in ROWS):
        rows = ["| setting | effect | usual | key |", "|---|---|---|---|"]
        for row in ROWS:
            if row.group == group:
                usual = next(text for text, value in row.choices if value == row.usual)
                rows.append(f"| {row.title} | {row.text} | {usual} | `{row.key}` |")
        parts.append(f"## {group}\n")
        parts.append("\n".join(rows) + "\n")
    parts += [SETTINGS_NOTES, NAVIGATION_HEAD]
    rows = ["| preset | turn | move | zoom |", "|---|---|---|---|"]
    for preset in PRESETS.values():
        words = {move: [one.words for one in preset.gestures if one.move == move] for move in MOVE_TEXTS}
        rows.append(f"| {preset.title} | {' | '.join(', '.join(words[move]) for move in MOVE_TEXTS)} |")
    parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


COMPARE = "compare"
COMPARE_HEAD = """# Two numbers that should be the same

The driver says this, the pendant says that, and both should be one pose. Give both texts, as they stand:

```sh
framescope compare "KUKA A 30 B 20 C 10" "p[0, 0, 0, 0.08, 0.39, 0.49]" --names KUKA,UR
```

A text is anything with a pose: numbers in any brackets, a print or a line of code of a library, a message of ROS, an
element of URDF, SDF or MJCF, a position and a rotation by name, the pose of a maker's controller. `framescope read`
lists what one text can be. A text can also be the name of a file, or `-` for standard input. Of more than two texts,
each is compared with the first.

## In the window

*Ctrl Shift V* opens the panel from anywhere. It begins with the pose of the selected frame in its parent and with the
text of the clipboard; *Selected frame* takes the pose of another one. Below each text stands what it is read as. The
answer has the conversion as code, the pair for an issue as Markdown, and both poses as frames of the scene, in the
form in which they are written. The scene shows both orientations at the origin of the world, for the row that you
choose, with an arc of the turn between them, and the first text's orientation in each other row, by its number. A
text with one pose that is pasted with *Ctrl V* or dropped as a short text file goes there, too. *More pairs…* hands
both texts to [the convention detective](detective.md).

## The answer

All readings of both texts are tried: orders of quaternions, sequences of angles, degrees and radians, both senses,
the 48 changes of axes of the parent and of the frame, and units of positions. An inverse pose has its position in the
other frame; an inverse rotation can also stand beside the position that both sides share, such as the centre of a
camera. Positions part what rotations cannot: give them if you have them.

| answer | meaning | exit status |
|---|---|---|
| settled | one relation brings both together, and nothing else is within reach | 0 |
| likely | the simplest of several relations, or one that a second pair should confirm | 5 |
| cannot tell | several relations fit, or one that may be chance; the answer names a pair that parts them | 3 |
| neither | nothing brings them together; the answer has their distance, which may be a real offset | 4 |

A text without a pose ends with exit status 2, and says why.

Simple relations count more than far-fetched ones, and few digits prove less than many: two digits of a quaternion
leave about 0.3°. Measured numbers may differ by 0.3° and 2 mm for each axis. What chance alone would give is part of
the answer. Quarter turns, half turns and no turn at all agree under many relations, so that one such pair cannot
tell.

A fixed turn between both frames is never fitted, since it would bring any pair together. If you know it, give it:

```sh
framescope compare "rpy 10 20 30 deg" "rpy -110.284 9.391 -63.451 deg" --offset "rpy -90 0 -90 deg"
```

`--code scipy` also prints the function that converts the first text's numbers, `--json` is for scripts, and
`--markdown` writes the pair and the answer for an issue. With several pairs, [the detective](detective.md) also finds
fixed offsets; `framescope detect` with a single pair gives the answer of this page.

From Python:

```python
from framescope.features.compare import compare

answer = compare("rpy 10 20 30 deg", "[0.9515, 0.0381, 0.1893, 0.2393]")
print(answer.verdict, answer.sentence)
```

## Makers and libraries

Poses of these are read by their names or their punctuation. Each row has an example and its quaternion, to check a
reading by.

"""


def compare_page() -> str:
    """Return the text of the page about two numbers that should be the same."""
    rows = ["| maker or library | orientation | example | quaternion x y z w | source |", "|---|---|---|---|---|"]
    for maker in MAKERS:
        form = f"{maker.form}{', left-handed' if maker.handedness == 'left' else ''}"
        quaternion = " ".join(f"{part:.4g}" for part in maker.expected)
        example = " ".join(maker.example.split())
        rows.append(f"| {cell(maker.name)} | {form} | `{cell(example)}` | {quaternion} | {cell(maker.source)} |")
    return COMPARE_HEAD + "\n".join(rows) + "\n"


CALIBRATIONS = "calibrations"
CALIBRATIONS_HEAD = """# Which way does this matrix point?

A matrix called `T_cam_imu` can take points of the camera to the IMU, or of the IMU to the camera. Nothing in the
numbers tells, and a program that takes them the wrong way fails without a message. The direction is a matter of the
file's format. Framescope reads each format in the direction that its authors state, and says it in words.

Open or drop the file, or the folder of a reconstruction. It replaces an example that you have not changed, and joins
any other scene. Each sensor becomes a frame in the frame that carries it; cameras have their field of view. The page of
a frame, and its row in the outline under the pointer, names the entry from which its pose was read, such as *T_cam_imu
of cam0 in camchain.yaml takes points of imu0 to cam0*. The commands `check` and `import` say the same.

A pose of B *in* A and a matrix that *takes points of B to A* are the same thing: its last column is the position of B's
origin in A, and its first three columns are the axes of B in A.

![The two readings of one matrix: a camera that looks forward, and one that looks aside](pictures/which-way-light.png)

Both pictures are made of the matrix of the [first example](#camera-chains-of-kalibr) below. The left one is meant.

```sh
framescope rig camchain.yaml imucam.yaml --out rig.launch.py
```

joins calibrations, robots and bags by the names of their frames. Of a bag the fixed transforms count, as on
`/tf_static`, and the fixed joints of its robot description: `framescope rig drive.mcap camchain.yaml`. Every closed
loop has a residual as angle and distance. The
distance is the largest of the loop's frames: how far off the origin of a frame arrives after one way round. If one is
larger than the noise, the answer begins with the entry that is wrong and how: inverted, transposed, in other axes, in
millimetres, mirrored. If several explanations close the loops, all are named. In the window, open or drop the files
into one scene: the problems list has the same answers, each with a fix, and *Write into the calibration…* (menu
*File*) writes the fix into its file, where nothing else changes. Until then, the list names the entries that differ
from their files.

The root of the tree is the root of a robot, else a base, an IMU or the frame with most poses, in whatever order the
files are given. `--root NAME` takes another one. `--position-noise` and `--angle-noise` state how uncertain the poses
are; where larger noise would close all loops, the answer states it. Two frames that the poses put at the same place
are asked about: `--same camera1=cam0` says yes.

## The directions

"""
CALIBRATIONS_EXAMPLES = """
Poses of cameras are those of optical frames: z forward, x to the right and y down in the image
([Cameras](cameras.md)). Rectifying rotations (`R` of camera_info, `R_rect` of KITTI) are no poses of sensors.

A matrix under a name that states its direction, in a format that states none, is read as its name says and marked as
open. What holds no pose is reported with the reason.

## Numbers to check by

"""


def calibrations_page() -> str:
    """Return the text of the page about calibrations."""
    rows = ["| file | entry | direction |", "|---|---|---|"]
    for dialect in DIALECTS:
        for entry, words in dialect.directions:
            code = f"`{cell(entry)}`" if re.fullmatch(r"[\w. …]+", entry) else cell(entry)
            rows.append(f"| {dialect.title} | {code} | {cell(words)} |")
    parts = [CALIBRATIONS_HEAD + "\n".join(rows) + "\n" + CALIBRATIONS_EXAMPLES]
    for dialect in DIALECTS:
        if dialect.example:
            title = dialect.title[:1].upper() + dialect.title[1:]
            parts.append(f"### {title}\n\n```text\n{dialect.example.strip()}\n```\n\n{position_in_words(dialect)}\n\n")
    return "".join(parts).rstrip() + "\n"


def position_in_words(dialect: Dialect) -> str:
    """Return the position that the example of a dialect holds first, as a sentence."""
    source = Source(f"{dialect.name}{dialect.suffixes[0]}", dialect.example.encode())
    calibration = dialect.read(source)
    for edge in calibration.edges:
        x, y, z = (f"{number + 0.0:.4g}".replace("-", "−") for number in edge.X_PC.p_AB.tolist())
        return f"It {edge.words}. The origin of {edge.child} lies at {x}, {y}, {z} m in {edge.parent}."
    for poses in calibration.pose_lists:
        x, y, z = (f"{number + 0.0:.4g}".replace("-", "−") for number in poses.X_PC.p_AB[0].tolist())
        return f"The first position of {poses.child} in {poses.parent} is {x}, {y}, {z}."
    return "It holds a lens and no pose."


PAGES = {PAGE: page, SETTINGS: settings_page, COMPARE: compare_page, CALIBRATIONS: calibrations_page}
"""Function that returns the text of each generated page."""


if __name__ == "__main__":
    for name, text in PAGES.items():
        (assets.path("manual") / f"{name}.md").write_text(text(), encoding="utf-8", newline="\n")
