"""Differences between platforms, all in one place.

`run.py` loads this file by its path before anything is installed, so it uses the standard library alone and imports
nothing of Framescope. Facts about the machine are passed as a `Host`, so tests can simulate any platform.
"""

import contextlib
import ctypes
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Host:
    """Facts about a machine on which the functions below depend."""

    system: str
    """Value of `sys.platform`: "linux", "darwin" or "win32"."""
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    is_root: bool = False
    os_release: Mapping[str, str] = field(default_factory=dict[str, str])
    """Entries of `/etc/os-release` on Linux."""

    @property
    def is_windows(self) -> bool:
        """Whether it is Windows, of any version."""
        return self.system == "win32"

    @property
    def is_linux(self) -> bool:
        """Whether it is Linux, of any distribution."""
        return self.system == "linux"

    @property
    def is_debian_like(self) -> bool:
        """Whether it is Debian, Ubuntu, or a distribution based on them."""
        names = [self.os_release.get("ID", ""), *self.os_release.get("ID_LIKE", "").split()]
        return self.is_linux and not {"debian", "ubuntu"}.isdisjoint(names)


def this_host() -> Host:
    """Return the facts about this machine."""
    is_root = sys.platform != "win32" and os.geteuid() == 0
    release = read_os_release(Path("/etc/os-release")) if sys.platform == "linux" else {}
    return Host(sys.platform, os.environ, is_root, release)


def quoted_words(words: Sequence[str], host: Host | None = None) -> str:
    """Quote the words of a command for typing them into a shell.

    >>> quoted_words(["framescope", "my arm.urdf"], Host("linux"))
    "framescope 'my arm.urdf'"
    """
    is_windows = (host or this_host()).is_windows
    return subprocess.list2cmdline(words) if is_windows else shlex.join(words)


def read_os_release(path: Path) -> dict[str, str]:
    """Read a file of `KEY=value` or `KEY="value"` lines; a missing file is empty."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {key.strip(): value.strip().strip("\"'") for key, value in pairs}


# --- Processes ----------------------------------------------------------------------------------------------------


def python_command(*arguments: str, python: str | Path | None = None) -> list[str]:
    """Return a command line that runs an interpreter, by default this one, without imports from the current folder.

    The program starts all interpreters with this command line. Without ``-P``, a file ``bisect.py`` beside a scene
    would run instead of Python's module of that name.
    """
    return [str(python or sys.executable), "-P", *arguments]


def without_relative_parts(python_path: str) -> str:
    """Remove empty and relative parts from a PYTHONPATH: they would make the current folder importable.

    >>> without_relative_parts(os.pathsep.join(["", ".", "lib"]))
    ''
    """
    return os.pathsep.join(part for part in python_path.split(os.pathsep) if Path(part).is_absolute())


def venv_python(venv: Path, host: Host) -> Path:
    """Return the path of a virtual environment's interpreter."""
    return venv / "Scripts" / "python.exe" if host.is_windows else venv / "bin" / "python"


def venv_site_packages(venv: Path, host: Host) -> Path:
    """Return the folder of a virtual environment's packages, for the running version of Python."""
    if host.is_windows:
        return venv / "Lib" / "site-packages"
    return venv / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"


def hand_over(command: Sequence[str], environ: Mapping[str, str], host: Host) -> int:
    """Replace this process by `command`: on POSIX this never returns; on Windows run it and return its exit status.

    On Windows `exec` starts a new process and ends the old one, so the shell's prompt would return while the command
    still runs.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if not host.is_windows:
        os.execve(command[0], list(command), dict(environ))  # noqa: S606
    process = subprocess.Popen(command, env=dict(environ))
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the console sent Ctrl-C to the command as well; the command decides


@contextlib.contextmanager
def hold_lock(path: Path, on_wait: Callable[[], None]) -> Generator[None]:
    """Hold an advisory lock on `path`, waiting for its holder; the system releases it when the process ends.

    `on_wait` is called once if another process holds the lock.
    """
    with path.open("a+b") as file:
        has_waited = False
        while not try_to_lock(file.fileno()):
            if not has_waited:
                on_wait()
                has_waited = True
            time.sleep(0.2)
        yield  # closing the file releases the lock


if sys.platform == "win32":
    import msvcrt

    def try_to_lock(descriptor: int) -> bool:
        """Take an advisory lock on an open file, until it is closed; return whether no other process holds it."""
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def try_to_lock(descriptor: int) -> bool:
        """Take an advisory lock on an open file, until it is closed; return whether no other process holds it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def lower_priority() -> None:
    """Lower the priority of this process and its children: their work can wait, a window cannot."""
    if sys.platform == "win32":
        below_normal = 0x4000
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), below_normal)
    else:
        os.nice(5)


# --- Files --------------------------------------------------------------------------------------------------------


def link_directory(link: Path, target: Path, host: Host) -> None:
    """Make `link` point to the directory `target`; an existing `link` must be a link."""
    if os.path.lexists(link):
        if link.resolve() == target.resolve():
            return
        link.unlink()  # works for junctions as well; fails for a real directory
    if host.is_windows:
        # A symbolic link needs a privilege on Windows; a junction needs none.
        import _winapi

        _winapi.CreateJunction(str(target.resolve()), str(link))  # pyright: ignore[reportAttributeAccessIssue]
    else:
        link.symlink_to(os.path.relpath(target.resolve(), link.parent.resolve()), target_is_directory=True)


# --- The display --------------------------------------------------------------------------------------------------


def has_display(host: Host) -> bool:
    """Return whether a window can be shown. On Linux the display server must answer: a variable may be stale."""
    if not host.is_linux:
        return True
    wayland = host.environ.get("WAYLAND_DISPLAY", "")
    if wayland and _answers(_wayland_socket(wayland, host)):
        return True
    return any(_answers(address) for address in _x11_addresses(host.environ.get("DISPLAY", "")))


_WINDOWLESS = {"offscreen", "minimal", "minimalegl", "linuxfb", "vnc", "vkkhrdisplay"}
"""Qt platforms without windows in which OpenGL draws."""


def window_lack(host: Host) -> str | None:
    """Return why no platform in QT_QPA_PLATFORM can show a window, where Qt would end the process; None if one can."""
    platform_names = host.environ.get("QT_QPA_PLATFORM", "")
    names = [part.partition(":")[0].strip() for part in platform_names.split(";") if part.strip()]
    reasons = [reason for name in names if (reason := _reason_against(name, host))]
    if not names or len(reasons) < len(names):
        return None
    return (
        f"Framescope cannot open its window: QT_QPA_PLATFORM is {platform_names}, but {' and '.join(reasons)}.\n"
        "Take that variable away, or name a platform that is there, such as xcb for X11. With no window at all,"
        " `framescope picture` and `framescope export` draw into files."
    )


def _reason_against(name: str, host: Host) -> str | None:
    if name in _WINDOWLESS:
        return f"{name} shows no window that OpenGL can draw in"
    if not host.is_linux:
        return None
    if name == "xcb" and not any(_answers(address) for address in _x11_addresses(host.environ.get("DISPLAY", ""))):
        return f"no X server answers at DISPLAY={host.environ.get('DISPLAY', '')}"
    if name.startswith("wayland"):
        wayland = host.environ.get("WAYLAND_DISPLAY", "") or "wayland-0"
        if not _answers(_wayland_socket(wayland, host)):
            return f"no Wayland compositor answers at {wayland}"
    return None


_GRAPHICS_VARIABLES = (
    "MESA_GL_VERSION_OVERRIDE",
    "LIBGL_DRIVERS_PATH",
    "LIBGL_ALWAYS_INDIRECT",
    "GALLIUM_DRIVER",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "__EGL_VENDOR_LIBRARY_FILENAMES",
    "__GLX_VENDOR_LIBRARY_NAME",
)
"""Environment variables that change the OpenGL driver or the version it reports."""

_SOFTWARE_GL = ("libgl1-mesa-dri", "libgl1", "libegl1", "libglx-mesa0", "libegl-mesa0")
"""Debian packages of a driver that draws without a graphics card."""


def opengl_library(host: Host) -> str:
    """Return the name of the OpenGL library."""
    names = {"win32": "opengl32", "darwin": "/System/Library/Frameworks/OpenGL.framework/OpenGL"}
    return names.get(host.system, "libGL.so.1")


def graphics_hint(found: str, host: Host) -> str:
    """Describe the OpenGL that is needed, the one that was found, and remedies.

    Parameters
    ----------
    found
        Description of the present OpenGL, such as "OpenGL 2.1 (llvmpipe)"; empty without one.
    """
    lines = [f"Framescope draws with OpenGL 3.2 or later, and found {found or 'no OpenGL that works'}."]
    lines += [
        f"{name} is set to {host.environ[name]!r}: try without it."
        for name in _GRAPHICS_VARIABLES
        if host.environ.get(name)
    ]
    if host.is_linux:
        if not host.environ.get("LIBGL_ALWAYS_SOFTWARE"):
            lines.append("To draw without the graphics card, start it as: LIBGL_ALWAYS_SOFTWARE=1 framescope")
        if host.is_debian_like:
            packages = " ".join(_SOFTWARE_GL)
            lines.append(f"What draws without one is installed by: sudo apt-get install -y {packages}")
        else:
            lines.append("What draws without one is Mesa, with its driver llvmpipe: install it.")
    lines.append("Otherwise bring the driver of the graphics card up to date.")
    if host.is_windows:
        lines.append("A remote desktop may have no more than OpenGL 1.1: try at the machine itself.")
    return "\n".join(lines)


def prepare_rendering(host: Host) -> None:
    """Let VTK draw without a display if there is none; call it before VTK is imported, which would try X first."""
    if not has_display(host):
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")


def _wayland_socket(name: str, host: Host) -> str:
    return str(Path(host.environ.get("XDG_RUNTIME_DIR", "")) / name)  # an absolute name replaces the folder


def _x11_addresses(display: str) -> list[str | tuple[str, int]]:
    """Return the addresses at which the X server of a DISPLAY such as ":0", "unix:1.0" or "far:10.0" may listen."""
    name, colon, numbers = display.rpartition(":")
    number = numbers.split(".")[0]
    if not colon or not number.isdigit():
        return []
    if name in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen, everywhere
        return [path, "\0" + path]  # the second: Linux's abstract name for it
    return [(name.strip("[]"), 6000 + int(number))]


def _answers(address: str | tuple[str, int]) -> bool:
    try:
        if isinstance(address, tuple):
            socket.create_connection(address, timeout=2).close()
            return True
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            connection.connect(address)
    except OSError:
        return False
    return True


# --- System libraries (Linux; elsewhere the wheels bring everything) ------------------------------------------------


@dataclass(frozen=True)
class SystemNeed:
    """A shared library or program of the system that Qt, VTK or the tests need."""

    name: str
    """Soname of the library, or name of the program."""
    package: str
    """Debian package that contains it."""
    is_program: bool = False


# The lists follow the NEEDED entries of PySide6's libraries and its X11 plugin, and the libraries that VTK loads.
_DRAW = (
    SystemNeed("libEGL.so.1", "libegl1"),
    SystemNeed("libGL.so.1", "libgl1"),
    SystemNeed("libX11.so.6", "libx11-6"),
    SystemNeed("libdbus-1.so.3", "libdbus-1-3"),
    SystemNeed("libfontconfig.so.1", "libfontconfig1"),
    SystemNeed("libfreetype.so.6", "libfreetype6"),
    SystemNeed("libglib-2.0.so.0", "libglib2.0-0"),
    SystemNeed("libgthread-2.0.so.0", "libglib2.0-0"),
    SystemNeed("libstdc++.so.6", "libstdc++6"),
    SystemNeed("libxkbcommon.so.0", "libxkbcommon0"),
    SystemNeed("libzstd.so.1", "libzstd1"),
)
_WINDOW = (
    SystemNeed("libX11-xcb.so.1", "libx11-xcb1"),
    SystemNeed("libxcb.so.1", "libxcb1"),
    SystemNeed("libxcb-cursor.so.0", "libxcb-cursor0"),
    SystemNeed("libxcb-glx.so.0", "libxcb-glx0"),
    SystemNeed("libxcb-icccm.so.4", "libxcb-icccm4"),
    SystemNeed("libxcb-image.so.0", "libxcb-image0"),
    SystemNeed("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    SystemNeed("libxcb-randr.so.0", "libxcb-randr0"),
    SystemNeed("libxcb-render-util.so.0", "libxcb-render-util0"),
    SystemNeed("libxcb-render.so.0", "libxcb-render0"),
    SystemNeed("libxcb-shape.so.0", "libxcb-shape0"),
    SystemNeed("libxcb-shm.so.0", "libxcb-shm0"),
    SystemNeed("libxcb-sync.so.1", "libxcb-sync1"),
    SystemNeed("libxcb-util.so.1", "libxcb-util1"),
    SystemNeed("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    SystemNeed("libxcb-xkb.so.1", "libxcb-xkb1"),
    SystemNeed("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
)
_VIRTUAL_DISPLAY = (SystemNeed("Xvfb", "xvfb", is_program=True), SystemNeed("xauth", "xauth", is_program=True))
_WINDOW_MANAGER = (
    SystemNeed("openbox", "openbox", is_program=True),
    SystemNeed("wmctrl", "wmctrl", is_program=True),
    SystemNeed("xdotool", "xdotool", is_program=True),
    SystemNeed("xprop", "x11-utils", is_program=True),
    SystemNeed("xwininfo", "x11-utils", is_program=True),
)
_BROWSER = (SystemNeed("chromium", "chromium", is_program=True),)
SYSTEM_NEEDS = {
    "draw": _DRAW,
    "window": _WINDOW,
    "virtual display": _VIRTUAL_DISPLAY,
    "window manager": _WINDOW_MANAGER,
    "browser": _BROWSER,
}
"""Needs of each capability: drawing off screen, showing a window, showing it on a virtual display, testing it as on a
desktop, and testing pages.
"""

# From Debian 13 and Ubuntu 24.04 on, libraries whose 64-bit time_t changed have other names. The older releases are
# a closed list.
_T64_NAMES = {"libglib2.0-0": "libglib2.0-0t64"}
_RELEASES_BEFORE_T64 = {"buster", "bullseye", "bookworm", "focal", "jammy", "kinetic", "lunar", "mantic"}


def is_present(need: SystemNeed) -> bool:
    """Return whether a library can be loaded, or a program found."""
    if need.is_program:
        return shutil.which(need.name) is not None
    try:
        ctypes.CDLL(need.name)
    except OSError:
        return False
    return True


def missing_needs(
    capabilities: Iterable[str], host: Host, is_present: Callable[[SystemNeed], bool] = is_present
) -> list[SystemNeed]:
    """Return the needs of the capabilities (keys of `SYSTEM_NEEDS`) that the system lacks."""
    if not host.is_linux:
        return []
    return [need for name in capabilities for need in SYSTEM_NEEDS[name] if not is_present(need)]


def has_packages_for(capabilities: Iterable[str], host: Host) -> bool:
    """Return whether apt has the packages for the capabilities; on Ubuntu Chromium is a snap."""
    names = [host.os_release.get("ID", ""), *host.os_release.get("ID_LIKE", "").split()]
    return host.is_debian_like and ("ubuntu" not in names or "browser" not in capabilities)


def debian_packages(needs: Iterable[SystemNeed], host: Host) -> list[str]:
    """Return the packages of the needs, with their names in this release of Debian or Ubuntu."""
    keys = ("VERSION_CODENAME", "UBUNTU_CODENAME", "DEBIAN_CODENAME")
    is_before_t64 = any(host.os_release.get(key) in _RELEASES_BEFORE_T64 for key in keys)
    names = {need.package for need in needs}
    return sorted(names if is_before_t64 else {_T64_NAMES.get(name, name) for name in names})


def apt_commands(packages: Sequence[str]) -> list[list[str]]:
    """Return the commands with which root installs packages, without questions and after waiting for another apt."""
    apt = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    return [[*apt, "update"], [*apt, "install", "-y", "--no-install-recommends", *packages]]


def install_hint(needs: Sequence[SystemNeed], host: Host) -> str:
    """Return a message with the missing libraries and, on Debian and Ubuntu, the command that installs them."""
    if host.is_debian_like:
        packages = " ".join(debian_packages(needs, host))
        return (
            "System libraries are missing. Install them with this line, then run the same command again:\n\n"
            f"    sudo apt-get update && sudo apt-get install -y --no-install-recommends {packages}\n"
        )
    names = ", ".join(need.name for need in needs)
    return f"Your system lacks: {names}\nInstall the packages that hold them, then run the same command again."
