"""Robots: a slider of a robot of 100 links to the picture, and all robots of the wheel `example-robot-data`.

The robot has meshes of 300,000 triangles in all. The wheel is not among what the checkout installs (131 MB):
``python3 -m pip install example-robot-data`` first, or name the folder it is unpacked in with FRAMESCOPE_ROBOTS. Then
each of its robots opens, or the row says why not, and stands where slow formulas have it at 20 random poses.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from framescope.app.importers.registry import read_scene
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.features.robots.core.robot import Robot
from framescope.features.robots.core.robot_scene import MOVING, frame_names
from framescope.features.robots.core.urdf import read_urdf
from framescope.ui.scene_view.geometry.lathe_meshes import sphere
from tests.bench.bench_run import BOUND, Row, row
from tests.support.robots import slow_poses

LINKS, TRIANGLES = 100, 300_000
SLIDER_BOUND_MS = 50.0
DRAGS = 40
POSES = 20
MOST_OFF = 1e-12
"""m, and of the entries of matrices."""


def run() -> list[Row]:
    """Measure."""
    return [*_speed(), *_example_robots()]


# --- Speed


def write_robot(folder: Path) -> Path:
    """Write a robot of many links, each with a mesh of its own; return its file."""
    links, joints = [], []
    for i in range(LINKS):
        mesh = sphere(0.04 + 0.0001 * i, sides=2 * round((TRIANGLES / LINKS) ** 0.5 / 2))
        facets = np.zeros(len(mesh.triangles), np.dtype([("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")]))
        facets["c"] = mesh.points[mesh.triangles]
        head = b"mesh".ljust(80) + len(facets).to_bytes(4, "little")
        (folder / f"link{i}.stl").write_bytes(head + facets.tobytes())
        links.append(
            f'<link name="link{i}"><visual><geometry><mesh filename="link{i}.stl"/></geometry></visual></link>'
        )
        if i:
            axis = "0 1 0" if i % 2 else "0 0 1"
            joints.append(
                f'<joint name="joint{i}" type="revolute"><parent link="link{i - 1}"/><child link="link{i}"/>'
                f'<origin xyz="0.05 0 0.03"/><axis xyz="{axis}"/><limit lower="-2" upper="2"/></joint>'
            )
    path = folder / "long.urdf"
    path.write_text(f'<robot name="long">{"".join(links)}{"".join(joints)}</robot>', "utf-8")
    return path


def _speed() -> Iterator[Row]:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        yield Row(case="speed left out: there is no display, start it under xvfb-run", ours=0.0, unit="-")
        return
    from PySide6.QtTest import QTest

    from framescope.app import startup
    from framescope.app.session.document import Document

    startup.make_application()
    with tempfile.TemporaryDirectory() as folder:
        path = write_robot(Path(folder))
        start = time.perf_counter()
        wiring = startup.window_on(Document.open(path))
        wiring.window.resize(1280, 800)
        wiring.window.show()
        QTest.qWait(200)
        yield row("robot of 100 links, file to window", 1e3 * (time.perf_counter() - start - 0.2), "ms")
        QTest.qWait(1500)
        triangles = sum(
            actor.GetMapper().GetInput().GetNumberOfCells()
            for visual in wiring.window.scene_view.renderer.visuals
            if type(visual).__name__ == "Bodies"
            for actor in visual.scene_actors
            if actor.GetVisibility()
        )
        yield Row(case="its triangles", ours=triangles, unit="")
        yield row("joint slider to picture", _slider_ms(wiring), "ms", BOUND, SLIDER_BOUND_MS)
        wiring.session.undo()  # else it asks whether to save
        wiring.window.close()


def _slider_ms(wiring: Any) -> float:
    """Return the median time from a mouse event on the slider of the first joint to the end of the next render."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    wiring.window.show_dock("joints")
    while "joints" not in wiring.window.instruments:
        QTest.qWait(20)
    QTest.qWait(500)
    panel = wiring.window.instruments["joints"]
    slider, view = next(iter(panel.rows.values())).slider, wiring.window.scene_view
    middle, x = slider.height() // 2, slider.width() // 2
    drawn: list[float] = []
    view.frameSwapped.connect(lambda: drawn.append(time.perf_counter()))
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, middle))
    times = []
    for i in range(DRAGS):
        QApplication.processEvents()
        drawn.clear()
        start = time.perf_counter()
        QTest.mouseMove(slider, QPoint(x + 3 + i % 2, middle))
        while not drawn and time.perf_counter() - start < 2.0:
            QApplication.processEvents()
        times.append(1e3 * (drawn[0] - start))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, middle))
    return statistics.median(times[5:])


# --- Real robots


def _example_robots() -> Iterator[Row]:
    folder = _folder()
    if folder is None:
        text = "real robots left out: install example-robot-data, or name its folder in FRAMESCOPE_ROBOTS"
        yield Row(case=text, ours=0.0, unit="-")
        return
    files = sorted(folder.rglob("*.urdf"))
    worst, refused, times = 0.0, 0, []
    for path in files:
        start = time.perf_counter()
        try:
            loaded, _ = read_scene(path)
        except FramescopeError as error:
            refused += 1
            yield Row(case=f"{path.name} does not open: {error}", ours=0.0, unit="-")
            continue
        times.append(1e3 * (time.perf_counter() - start))
        robot = read_urdf(path.read_bytes(), path.stem)
        off = largest_miss(path, robot, loaded.scene, loaded.home)
        if off > MOST_OFF:
            yield Row(case=f"{path.name} is off", ours=off, unit="")
        worst = max(worst, off)
    yield Row(case=f"robots of {len(files)} that do not open", ours=refused, unit="")
    yield Row(case=f"worst miss of {len(files) - refused} robots at {POSES} poses", ours=worst, unit="")
    yield row("a robot read, median", statistics.median(times), "ms")


def _folder() -> Path | None:
    named = os.environ.get("FRAMESCOPE_ROBOTS")
    if named:
        return Path(named)
    try:
        files = metadata.files("example-robot-data") or ()
    except metadata.PackageNotFoundError:
        return None
    urdf = next((file for file in files if file.name.endswith(".urdf")), None)
    return None if urdf is None else Path(str(urdf.locate())).parents[3]


def largest_miss(path: Path, robot: Robot, scene: Scene, home: Path) -> float:
    """Return by how much the frames of a robot miss where slow formulas have its links, at random poses."""
    names = frame_names(robot)
    by_joint = {joint.child: joint for joint in robot.joints if joint.type in MOVING and joint.mimic is None}
    parameters = {
        joint.name: str(motion.value)
        for link, joint in by_joint.items()
        if (motion := scene.frames[names[link]].motion) is not None
    }
    rng = np.random.default_rng(0)
    text, worst = path.read_text("utf-8", "replace"), 0.0
    known = {each.get("name") for each in ET.fromstring(text).findall("joint")}
    for _ in range(POSES):
        values = {name: float(rng.uniform(-3.0, 3.0)) for name in parameters}
        changed = {parameters[name]: value for name, value in values.items()}
        moved = scene.model_copy(update={"parameters": scene.parameters | FrozenDict(changed)})
        plan = compile_plan(moved, access=Access(home))
        snapshot = evaluate(plan, 0.0)
        for link, pose in slow_poses(text, values | dict.fromkeys(known - values.keys(), 0.0)).items():
            row_ = plan.index[names[link]]
            off = np.abs(snapshot.R_WF[row_] - pose[:3, :3]).max(), np.abs(snapshot.p_WF[row_] - pose[:3, 3]).max()
            worst = max(worst, *map(float, off))
    return worst
