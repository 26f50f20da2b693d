"""Roll, pitch and yaw in the real window: typing, dragging, choosing another form, and undo."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.support.hands import LEFT, Key, move, press, release, strike, type_in, x_of
from tests.support.whole_window import follow, wait_for, windows

SCENE = """\
framescope: 1
title: Fixed axes
time: {start: 0 s, end: 10 s}
frames:
  base: {parent: world}
  lidar:
    parent: base
    position: {value: [0.5, 0, 0.3], unit: m}
    orientation: {form: rpy, angles: [10, 20, "30 + 5*t"], unit: deg}
  dish:
    parent: base
    position: {value: [-0.5, 0, 0.3], unit: m}
    orientation: {form: extrinsic, sequence: zxz, angles: [10, 20, 30], unit: deg}
  cam:
    parent: base
    position: {value: [0, 0.5, 0.3], unit: m}
    orientation: {form: quaternion, value: [0, 0, 0, 1], order: xyzw}
view:
  stages: [{frame: lidar}]
  rings: [{frame: dish, radius: 0.3 m}]
  plots:
    - {signal: angles, of: lidar, relative_to: base, sequence: ZYX, unit: deg}
"""

@pytest.fixture
def wiring(tmp_path, qtbot):
    path = tmp_path / "fixed.yaml"
    path.write_text(SCENE, encoding="utf-8")
    with windows(qtbot) as open_it:
        yield open_it(path)

def shot(w, name):
    follow(w)
    folder = os.environ.get("SHOTS")
    if folder:
        w.window.resize(1280, 800)
        QTest.qWait(400)
        w.window.grab().save(f"{folder}/{name}.png")

def test_explore(wiring):
    w = wiring
    s = w.session
    s.select(("frames", "lidar"))
    panel = w.window.inspector.orientation
    shot(w, "2-lidar")
    for word in ("rpy", "branches"):
        panel.parts.also.chosen.emit(word)
    shot(w, "3-also")
    panel.parts.convert.click()
    shot(w, "5-convert")
    panel.set_detail("full")
    shot(w, "6-full")
    s.select(("frames", "dish")); shot(w, "7-dish-full")
