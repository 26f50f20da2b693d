"""A reader of README and the manual: the environment that the set-up makes, and the files that the pages name."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

import framescope
from framescope.app import platforms
from framescope.core.scene import save_scene
from tests.support import commands_in_turn, modelica_results, rig_files, trajectory_files
from tests.support.bags import NS, START_NS, Sent, drive, write_foxglove, write_ros1
from tests.support.shown_commands import Command
from tests.tools import lock_files
from tests.tools.lock_files import ROOT

# --- The environment


@dataclass(frozen=True)
class Result:
    """End of a command: its exit status and what it printed."""

    status: int
    stdout: str
    stderr: str

    @property
    def text(self) -> str:
        return f"{self.stdout}\n{self.stderr}"


@dataclass
class Reader:
    """Person who types commands: with the packages of requirements.lock and no others, and with a home of his own.

    Attributes
    ----------
    place
        Folder for the environment and the home.
    """

    place: Path
    python: Path = field(init=False)
    _commands: subprocess.Popen[str] | None = None

    def __post_init__(self) -> None:
        self.python = make_environment(self.place / ".venv")
        self.home.mkdir()

    @property
    def home(self) -> Path:
        return self.place / "home"

    def environ(self) -> dict[str, str]:
        """Return the environment variables of a terminal without a display; its programs are those of the set-up."""
        left_out = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "PYTHONPATH", "VIRTUAL_ENV")
        environ = {key: value for key, value in os.environ.items() if key not in left_out}
        folders = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
        path = os.pathsep.join([str(self.python.parent), environ["PATH"]])
        return environ | dict.fromkeys(folders, str(self.home)) | {"PATH": path}

    def run(self, command: Command, folder: Path, *more: str) -> Result:
        """Run a command in a folder, without a display, with more arguments of `framescope` at its end."""
        if command.arguments is None:
            return self.run_line(command.text, folder)
        return self.run_framescope([*command.arguments, *more], folder, command.standard_input)

    def run_framescope(self, arguments: list[str], folder: Path, standard_input: str = "") -> Result:
        """Run `framescope` in a folder, without a display."""
        if self._commands is None:
            line = [self.python, "-P", commands_in_turn.__file__]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
            self._commands = subprocess.Popen(line, env=self.environ(), **pipes)
        question = {"arguments": arguments, "folder": str(folder), "standard_input": standard_input}
        self._commands.stdin.write(json.dumps(question) + "\n")
        self._commands.stdin.flush()
        return Result(**json.loads(self._commands.stdout.readline()))

    def run_line(self, line: str, folder: Path) -> Result:
        """Run any line in a shell in a folder."""
        done = subprocess.run(
            line, shell=True, cwd=folder, env=self.environ(), capture_output=True, text=True, check=False
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def close(self) -> None:
        """End the process that runs the commands."""
        if self._commands is not None:
            self._commands.communicate()


def make_environment(folder: Path) -> Path:
    """Make an environment with the packages of requirements.lock alone, linked into it; return its interpreter."""
    host = platforms.this_host()
    venv.create(folder, with_pip=False, symlinks=not host.is_windows)
    packages = platforms.venv_site_packages(folder, host)
    python = platforms.venv_python(folder, host)
    pins = lock_files.pins((ROOT / lock_files.LOCK).read_text(encoding="utf-8"))
    for name in {pin.partition("==")[0] for pin in pins} | {"framescope"}:
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # of another platform or version of Python
            continue
        for source in _parts(package):
            if not (packages / source.name).exists():
                (packages / source.name).symlink_to(source, target_is_directory=source.is_dir())
        for entry in package.entry_points.select(group="console_scripts"):
            script = python.parent / entry.name
            call = f"import sys\nfrom {entry.module} import {entry.attr}\nsys.exit({entry.attr}())\n"
            script.write_text(f"#!{python}\n{call}", encoding="utf-8")
            script.chmod(0o755)
    return python


def _parts(package: metadata.Distribution) -> Iterator[Path]:
    """Yield the files and folders of an installed package in the folder of packages."""
    home = Path(str(package.locate_file("")))
    for part in sorted({file.parts[0] for file in package.files or () if file.parts[0] != ".."}):
        yield home / part


# --- The files

SCENE = """\
framescope: 1
title: Mine
time: {start: 0 s, end: 3 s}
frames:
  base: {parent: world}
  tip:
    parent: base
    position: {value: ["0.1*t", 0, 0.5], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["40*t", 20, 0], unit: deg}
"""

ARM = """\
<robot name="arm">
  <link name="base"/>
  <link name="upper"/>
  <link name="camera"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/> <child link="upper"/> <origin xyz="0 0 0.3"/> <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="upper"/> <child link="camera"/>
    <origin xyz="0.1 0 0"/>
  </joint>
</robot>
"""

XACRO = """\
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="name" default="base"/>
  <link name="$(arg name)"/>
</robot>
"""


def write_files(folder: Path) -> None:
    """Write the files that the pages name."""
    texts = {
        "my.yaml": SCENE,
        "arm.urdf.xacro": XACRO,
        "my.lesson.md": (ROOT / "assets" / "lessons" / "2-gimbal-lock.lesson.md").read_text(encoding="utf-8"),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "assets").symlink_to(ROOT / "assets", target_is_directory=True)
    (folder / "elsewhere").mkdir()
    write_foxglove(folder / "drive.mcap", drive(seconds=2.0, hz=10.0))
    write_ros1(folder / "drive.bag", drive_with_two_parents())
    modelica_results.write(folder / "Pendulum_res.mat", modelica_results.pendulum())
    framescope.export(folder / "my.yaml", folder / "bundle.zip")
    _write_orientations(folder)
    _write_walks(folder)
    _write_arm(folder)
    rig_files.write_files(folder)
    trajectory_files.write_files(folder)


def drive_with_two_parents() -> list[Sent]:
    """Return a drive of 10 s; from 5.05 to 6.45 s, another node sends its base in the map, too."""
    place, turned = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
    stamps = (START_NS + round((5.05 + 0.05 * i) * NS) for i in range(29))
    others = [Sent(stamp, "map", "base_link", place, turned, publisher="/other") for stamp in stamps]
    return [*drive(seconds=10.0), *others]


def _write_orientations(folder: Path) -> None:
    """Write the same orientations in three conventions, and two of those that a page writes as angles."""
    turns = Rotation.random(30, random_state=4)
    _write_table(folder / "vendor.csv", "yaw,pitch,roll", turns.as_euler("ZYX", degrees=True))
    _write_table(folder / "truth.csv", "qw,qx,qy,qz", turns.as_quat(scalar_first=True))
    _write_table(folder / "mine.csv", "qx,qy,qz,qw", turns.as_quat())
    shown = Rotation.from_euler("ZYX", [[10, 20, 30], [40, 5, 60]], degrees=True)
    np.savetxt(folder / "rotations.txt", shown.as_quat())


def _write_walks(folder: Path) -> None:
    """Write a walk of a body whose unit is open, with an angle of the arm's joint, and the joint alone in degrees."""
    t = np.arange(100) / 20
    turns = Rotation.from_euler("ZYX", np.stack([0.7 * np.sin(t), 0.2 * np.cos(t), 0.3 * np.sin(2 * t)], 1))
    columns = [t, 1000 * np.sin(t), 500 * t, 100 * np.cos(t), turns.as_quat(scalar_first=True), 0.5 * np.sin(t)]
    _write_table(folder / "walk.csv", "time,x,y,z,q1,q2,q3,q4,shoulder", np.column_stack(columns))
    _write_table(folder / "joints.csv", "t,shoulder", np.column_stack([t, 30 * np.sin(t)]))


def _write_arm(folder: Path) -> None:
    """Write a robot, and a scene of it in which the camera has been moved."""
    file = folder / "arm.urdf"
    file.write_text(ARM.replace("0.1 0 0", "0.2 0 0"), encoding="utf-8")
    save_scene(framescope.load(file).scene, folder / "arm.yaml")
    file.write_text(ARM, encoding="utf-8")


def _write_table(path: Path, header: str, rows: np.ndarray) -> None:
    np.savetxt(path, rows, delimiter=",", header=header, comments="", fmt="%.9f")
