"""Without an OpenGL that can draw, or a window system: a message that says what helps, and exit status 3."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from framescope.app import platforms
from framescope.app.exporters.rendering.renderer_info import renderer_name
from framescope.app.platforms import Host

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="the variables are those of Mesa and of Linux"),
]

TOO_OLD = {"MESA_GL_VERSION_OVERRIDE": "2.1"}
NO_DRIVER = {"LIBGL_DRIVERS_PATH": "/nonexistent"}
FOR_S = 120.0
"""How long a program may take to give up on a machine that does much else."""


def ended(arguments: list[str], changes: dict[str, str], cwd) -> tuple[int, list[str]]:
    """Return exit status and complaints of the program, with other variables."""
    environ = {key: value for key, value in os.environ.items() if key != "QT_QPA_PLATFORM"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "framescope.app", *arguments],
        env=environ | changes, capture_output=True, text=True, check=False, timeout=FOR_S, cwd=cwd,
    )  # fmt: skip
    return done.returncode, done.stderr.splitlines()


WINDOW, PICTURE = [], ["picture", "demo", "a.png", "--size", "64x64"]


@pytest.mark.parametrize(
    ("command", "variables", "found"),
    [
        (WINDOW, TOO_OLD, "found OpenGL 2.1 of"),
        (PICTURE, NO_DRIVER, "found no OpenGL that works"),
        pytest.param(PICTURE, TOO_OLD, "found OpenGL 2.1 of", marks=pytest.mark.soak),
        pytest.param(WINDOW, NO_DRIVER, "found no OpenGL that works", marks=pytest.mark.soak),
    ],
)
def test_that_without_opengl_3_2_it_is_said_and_the_status_is_3(command, variables, found, tmp_path) -> None:
    if "mesa" not in renderer_name().lower():
        pytest.skip("the driver is not Mesa, whose variables these are")
    status, said = ended(command, variables, tmp_path)
    assert status == 3, said
    begin = next(i for i, line in enumerate(said) if line.startswith("Framescope draws with OpenGL 3.2 or later"))
    assert found in said[begin]
    ((name, value),) = variables.items()
    assert said[begin + 1] == f"{name} is set to '{value}': try without it."
    assert "LIBGL_ALWAYS_SOFTWARE=1" in said[begin + 2]
    assert "graphics card up to date" in said[-1]
    assert len(said) < 30
    assert not [line for line in said if "vtk" in line]
    assert not list(tmp_path.iterdir())


def test_that_a_film_without_opengl_says_the_same_and_a_table_needs_none(tmp_path) -> None:
    if "mesa" not in renderer_name().lower():
        pytest.skip("the driver is not Mesa, whose variables these are")
    without_display = TOO_OLD | {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    one_after_the_other = (
        "import sys\n"
        "from framescope.app.__main__ import main\n"
        "for name in ('a.csv', 'a.mp4'):\n"
        "    sys.argv = ['framescope', 'export', 'demo', name, '--stop', '0.1']\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as end:\n"
        "        print(name, end.code, flush=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", one_after_the_other],
        env=os.environ | without_display, capture_output=True, text=True, check=False, timeout=FOR_S, cwd=tmp_path,
    )  # fmt: skip
    assert [line for line in done.stdout.splitlines() if " " in line] == ["a.csv 0", "a.mp4 3"]
    assert "no OpenGL that works" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize(
    ("platform", "reason"),
    [
        ("offscreen", "offscreen shows no window"),
        ("wayland", "no Wayland compositor answers at none-such"),
    ],
)
def test_that_a_platform_that_shows_no_window_is_said_and_the_status_is_3(platform, reason, tmp_path) -> None:
    status, said = ended([], {"QT_QPA_PLATFORM": platform, "WAYLAND_DISPLAY": "none-such"}, tmp_path)
    assert status == 3
    assert said[0].startswith(f"Framescope cannot open its window: QT_QPA_PLATFORM is {platform}, but {reason}")
    assert "Take that variable away" in said[1]
    assert len(said) == 2


def test_that_one_platform_of_several_that_is_there_will_do(tmp_path) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": ":98765"}
    for asked, is_lacking in {
        "": False,
        "eglfs": False,  # unknown to us
        "offscreen:size=800x600": True,
        "minimal;eglfs": False,
        "xcb": True,
        "wayland-egl;xcb": True,
    }.items():
        host = Host("linux", environ | {"QT_QPA_PLATFORM": asked})
        assert (platforms.window_lack(host) is not None) == is_lacking, asked
    assert platforms.window_lack(Host("win32", {"QT_QPA_PLATFORM": "windows"})) is None
    assert "DISPLAY=:98765" in (platforms.window_lack(Host("linux", environ | {"QT_QPA_PLATFORM": "xcb"})) or "")


def test_that_the_hint_fits_the_machine() -> None:
    debian = Host("linux", os_release={"ID": "debian"})
    assert "apt-get install -y libgl1-mesa-dri" in platforms.graphics_hint("", debian)
    arch = platforms.graphics_hint("OpenGL 2.1 of softpipe", Host("linux", {"LIBGL_ALWAYS_SOFTWARE": "1"}))
    assert "found OpenGL 2.1 of softpipe." in arch
    assert "llvmpipe: install it" in arch
    assert "LIBGL" not in arch
    assert "remote desktop" in platforms.graphics_hint("OpenGL 1.1 of GDI Generic", Host("win32"))
