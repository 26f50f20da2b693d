import os
import platform
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from framescope.app import platforms
from framescope.app.platforms import Host, SystemNeed

BOOKWORM = {"ID": "debian", "VERSION_CODENAME": "bookworm"}
TRIXIE = {"ID": "debian", "VERSION_CODENAME": "trixie"}
JAMMY = {"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_CODENAME": "jammy", "UBUNTU_CODENAME": "jammy"}
NOBLE = {"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_CODENAME": "noble", "UBUNTU_CODENAME": "noble"}
MINT_21 = {"ID": "linuxmint", "ID_LIKE": "ubuntu debian", "VERSION_CODENAME": "vera", "UBUNTU_CODENAME": "jammy"}
MINT_22 = {"ID": "linuxmint", "ID_LIKE": "ubuntu debian", "VERSION_CODENAME": "wilma", "UBUNTU_CODENAME": "noble"}
FEDORA = {"ID": "fedora", "VERSION_ID": "42"}

LINUX = Host("linux", os_release=BOOKWORM)
WINDOWS = Host("win32")
MACOS = Host("darwin")


def test_that_os_release_is_read_with_and_without_quotes(tmp_path):
    file = tmp_path / "os-release"
    file.write_text("# a comment\nNAME=\"Debian GNU/Linux\"\nID=debian\nHOME_URL='a=b'\n\n")

    assert platforms.read_os_release(file) == {"NAME": "Debian GNU/Linux", "ID": "debian", "HOME_URL": "a=b"}


def test_that_a_missing_os_release_is_empty(tmp_path):
    assert platforms.read_os_release(tmp_path / "none") == {}


def test_that_this_host_is_this_machine():
    host = platforms.this_host()

    assert host.system == sys.platform
    assert host.environ is os.environ


@pytest.mark.parametrize("release", [BOOKWORM, TRIXIE, JAMMY, NOBLE, MINT_21, MINT_22])
def test_that_debian_and_its_kin_are_known(release):
    assert Host("linux", os_release=release).is_debian_like


@pytest.mark.parametrize("host", [Host("linux", os_release=FEDORA), Host("linux"), WINDOWS, MACOS])
def test_that_others_are_not_taken_for_debian(host):
    assert not host.is_debian_like


# --- Processes


def test_that_the_interpreter_is_found_in_the_environment_of_each_platform():
    assert platforms.venv_python(Path("v"), LINUX) == Path("v/bin/python")
    assert platforms.venv_python(Path("v"), MACOS) == Path("v/bin/python")
    assert platforms.venv_python(Path("v"), WINDOWS) == Path("v/Scripts/python.exe")


def test_that_the_packages_are_found_in_the_environment_of_each_platform():
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"

    assert platforms.venv_site_packages(Path("v"), LINUX) == Path("v/lib") / version / "site-packages"
    assert platforms.venv_site_packages(Path("v"), WINDOWS) == Path("v/Lib/site-packages")


def test_that_posix_replaces_the_process(monkeypatch):
    calls = []
    monkeypatch.setattr(os, "execve", lambda *arguments: calls.append(arguments))
    monkeypatch.setattr(subprocess, "Popen", FakeProcess)

    platforms.hand_over(["/bin/x", "a"], {"K": "v"}, LINUX)

    assert calls == [("/bin/x", ["/bin/x", "a"], {"K": "v"})]


class FakeProcess:
    """A command that is interrupted once and then ends with status 7."""

    def __init__(self, command, env):
        self.answers = [KeyboardInterrupt, 7]

    def wait(self):
        answer = self.answers.pop(0)
        if answer is KeyboardInterrupt:
            raise KeyboardInterrupt
        return answer


def test_that_windows_waits_for_the_command_and_leaves_ctrl_c_to_it(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", FakeProcess)

    assert platforms.hand_over(["x.exe"], {}, WINDOWS) == 7


HEAPS = """
import ctypes, sys, threading
from framescope.app import process_settings

process_settings.share_heaps()

def resident_mb():
    with open("/proc/self/statm") as told:
        return int(told.read().split()[1]) * 4096 / 1e6

all_filled = threading.Barrier(4)

def work():
    mine = [b"x" * (60_000 + i) for i in range(300)]
    all_filled.wait()

bytearray(30_000_000)  # what is freed from now on is kept for longer
before = resident_mb()
workers = [threading.Thread(target=work) for _ in range(4)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
ctypes.CDLL(None).malloc_trim(0)
print(resident_mb() - before)
"""


@pytest.mark.process
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have no heaps for threads")
def test_that_threads_leave_no_heaps_of_their_own_behind():
    # Other libraries, such as Dask's, leave settings of the C library behind for every process that follows.
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}

    def left_mb(without: str) -> float:
        environ = usual | {"FRAMESCOPE_WITHOUT": without}
        return float(subprocess.check_output([sys.executable, "-c", HEAPS], text=True, env=environ))

    assert left_mb("") < 10
    assert left_mb("heaps") > 40


PAGES = """
import resource
from framescope.app import process_settings

process_settings.keep_freed_pages()

def draw():
    return [b"x" * (60_000 + i) for i in range(40)]

for _ in range(3):
    draw()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    draw()
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / 20)
"""


@pytest.mark.process
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries keep what is freed in other ways")
def test_that_memory_of_one_picture_serves_the_next():
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}

    def faults(without: str) -> float:
        environ = usual | {"FRAMESCOPE_WITHOUT": without}
        return float(subprocess.check_output([sys.executable, "-c", PAGES], text=True, env=environ))

    assert faults("") < 20
    assert faults("pages") > 200


def test_that_a_lock_is_waited_for(tmp_path):
    path, is_waiting, has_it = tmp_path / "lock", threading.Event(), threading.Event()

    def want_it():
        with platforms.hold_lock(path, is_waiting.set):
            has_it.set()

    with platforms.hold_lock(path, on_wait=pytest.fail):
        other = threading.Thread(target=want_it)
        other.start()
        assert is_waiting.wait(timeout=10)
        assert not has_it.is_set()
    other.join(timeout=10)
    assert has_it.is_set()


@pytest.mark.process
def test_that_a_lock_dies_with_its_holder(tmp_path):
    path = tmp_path / "lock"
    code = (
        "import os, pathlib; from framescope.app import platforms\n"
        f"with platforms.hold_lock(pathlib.Path({str(path)!r}), print): os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)

    with platforms.hold_lock(path, on_wait=pytest.fail):
        pass


# --- Files


def test_that_a_link_leads_to_its_directory_and_moves_with_both(tmp_path):
    (tmp_path / "a" / "target").mkdir(parents=True)

    platforms.link_directory(tmp_path / "a" / "link", tmp_path / "a" / "target", LINUX)
    (tmp_path / "a").rename(tmp_path / "b")

    assert (tmp_path / "b" / "link").resolve() == (tmp_path / "b" / "target").resolve()


def test_that_a_link_is_made_again_only_where_it_leads_elsewhere(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    link = tmp_path / "link"
    for target in ("old", "new", "new"):
        platforms.link_directory(link, tmp_path / target, LINUX)
    made = link.lstat().st_mtime_ns

    platforms.link_directory(link, tmp_path / "new", LINUX)

    assert link.resolve() == (tmp_path / "new").resolve()
    assert link.lstat().st_mtime_ns == made


def test_that_a_real_directory_is_never_replaced_by_a_link(tmp_path):
    for name in ("target", "link"):
        (tmp_path / name).mkdir()
    (tmp_path / "link" / "precious").touch()

    with pytest.raises(OSError):  # noqa: PT011 - which one differs from system to system
        platforms.link_directory(tmp_path / "link", tmp_path / "target", LINUX)
    assert (tmp_path / "link" / "precious").exists()


def test_that_windows_gets_a_junction(tmp_path, monkeypatch):
    class FakeWinapi:
        made = None

        @classmethod
        def CreateJunction(cls, target, link):
            cls.made = (target, link)

    monkeypatch.setitem(sys.modules, "_winapi", FakeWinapi)
    target, link = (tmp_path / "target").resolve(), tmp_path / "link"
    target.mkdir()

    platforms.link_directory(link, target, WINDOWS)

    assert FakeWinapi.made == (str(target), str(link))


# --- The display


def linux(**environ) -> Host:
    return Host("linux", environ, os_release=BOOKWORM)


@pytest.fixture
def server(tmp_path):
    """A socket that listens at `tmp_path/wayland-7`, as a Wayland server does."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "wayland-7"))
        listener.listen()
        yield listener


@pytest.mark.parametrize("host", [WINDOWS, MACOS])
def test_that_windows_and_macos_have_a_display(host):
    assert platforms.has_display(host)


def test_that_no_variable_means_no_display():
    assert not platforms.has_display(linux())
    assert not platforms.has_display(linux(DISPLAY="", WAYLAND_DISPLAY=""))


def test_that_a_wayland_server_that_answers_is_a_display(server, tmp_path):
    assert platforms.has_display(linux(WAYLAND_DISPLAY="wayland-7", XDG_RUNTIME_DIR=str(tmp_path)))
    assert platforms.has_display(linux(WAYLAND_DISPLAY=str(tmp_path / "wayland-7")))


def test_that_a_socket_without_a_server_is_no_display(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "wayland-7"))

    assert not platforms.has_display(linux(WAYLAND_DISPLAY="wayland-7", XDG_RUNTIME_DIR=str(tmp_path)))


def test_that_an_x_server_that_answers_is_a_display():
    with socket.socket() as listener:  # X display N listens on port 6000 + N, as with `ssh -X`
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        number = listener.getsockname()[1] - 6000
        assert platforms.has_display(linux(DISPLAY=f"127.0.0.1:{number}.0"))
    assert not platforms.has_display(linux(DISPLAY=f"127.0.0.1:{number}.0"))


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets are Linux's")
def test_that_a_local_x_server_is_asked_at_its_socket():
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0/tmp/.X11-unix/X98765")
        listener.listen()
        assert platforms.has_display(linux(DISPLAY=":98765"))
        assert platforms.has_display(linux(DISPLAY="unix:98765.0"))
    assert not platforms.has_display(linux(DISPLAY=":98765"))


@pytest.mark.parametrize("display", ["nonsense", ":", ":x", "host:"])
def test_that_a_malformed_display_is_none(display):
    assert not platforms.has_display(linux(DISPLAY=display))


# --- System libraries


def test_that_only_what_is_asked_for_is_looked_for():
    nothing_there = dict.fromkeys(platforms.SYSTEM_NEEDS["draw"])

    assert platforms.missing_needs([], LINUX, lambda need: False) == []
    assert platforms.missing_needs(["draw"], LINUX, lambda need: False) == list(nothing_there)


def test_that_what_is_there_is_not_missing():
    missing = platforms.missing_needs(["draw", "window"], LINUX, lambda need: need.name != "libxcb-cursor.so.0")

    assert missing == [SystemNeed("libxcb-cursor.so.0", "libxcb-cursor0")]


@pytest.mark.parametrize("host", [WINDOWS, MACOS])
def test_that_nothing_is_missing_where_the_wheels_bring_everything(host):
    assert platforms.missing_needs(platforms.SYSTEM_NEEDS, host, lambda need: False) == []


@pytest.mark.skipif(sys.platform != "linux", reason="sonames are Linux's")
def test_that_libraries_and_programs_are_really_looked_for():
    assert platforms.is_present(SystemNeed("libc.so.6", "libc6"))
    assert not platforms.is_present(SystemNeed("libno-such-thing.so.9", "none"))
    assert platforms.is_present(SystemNeed("sh", "dash", is_program=True))
    assert not platforms.is_present(SystemNeed("no-such-program", "none", is_program=True))


@pytest.mark.parametrize("release", [BOOKWORM, JAMMY, MINT_21])
def test_that_releases_before_t64_get_the_old_names(release):
    needs = platforms.SYSTEM_NEEDS["draw"]

    assert "libglib2.0-0" in platforms.debian_packages(needs, Host("linux", os_release=release))


@pytest.mark.parametrize("release", [TRIXIE, NOBLE, MINT_22, {"ID": "debian"}, {"ID": "kali", "ID_LIKE": "debian"}])
def test_that_releases_from_t64_on_get_the_new_names(release):
    packages = platforms.debian_packages(platforms.SYSTEM_NEEDS["draw"], Host("linux", os_release=release))

    assert "libglib2.0-0t64" in packages
    assert "libglib2.0-0" not in packages


def test_that_a_package_is_named_once():
    glib = [need for need in platforms.SYSTEM_NEEDS["draw"] if need.package == "libglib2.0-0"]

    assert len(glib) == 2
    assert platforms.debian_packages(glib, LINUX) == ["libglib2.0-0"]


def test_that_apt_asks_nothing_and_installs_nothing_else():
    update, install = platforms.apt_commands(["xvfb", "xauth"])

    assert update[0] == install[0] == "apt-get"
    assert update[-1] == "update"
    assert install[-5:] == ["install", "-y", "--no-install-recommends", "xvfb", "xauth"]


def test_that_debian_is_given_the_line_to_run():
    needs = [SystemNeed("libEGL.so.1", "libegl1"), SystemNeed("libglib-2.0.so.0", "libglib2.0-0")]

    hint = platforms.install_hint(needs, LINUX)

    assert "sudo apt-get update && sudo apt-get install -y --no-install-recommends libegl1 libglib2.0-0\n" in hint


def test_that_other_systems_are_told_the_names_of_the_libraries():
    hint = platforms.install_hint([SystemNeed("libEGL.so.1", "libegl1")], Host("linux", os_release=FEDORA))

    assert "libEGL.so.1" in hint
    assert "apt" not in hint


@pytest.mark.skipif(sys.platform != "linux", reason="the libraries are those of the Linux wheels")
def test_that_the_table_holds_all_that_pyside_is_linked_with():
    """An upgrade of PySide6 must not outgrow the table unseen."""
    qt = Path(pytest.importorskip("PySide6").__file__).parent / "Qt"
    files = [*(qt / "lib").glob("libQt6[CDGOX]*.so.6"), *(qt / "plugins").glob("*/libqxcb*.so")]
    soname = re.compile(rb"(?<=\0)lib[\w.+-]+\.so\.\d+(?=\0)")
    linked = {match.decode() for file in files for match in soname.findall(file.read_bytes())}
    own = {path.name for path in (qt / "lib").iterdir()}
    everywhere = {"libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0", "libz.so.1"}

    table = {need.name for needs in platforms.SYSTEM_NEEDS.values() for need in needs}

    assert "libxcb-cursor.so.0" in linked
    assert linked - own - everywhere - table == set()


@pytest.mark.process
def test_that_programs_and_their_children_keep_linear_algebra_in_one_thread() -> None:
    code = """
import framescope.app.__main__ as program, os, sys
sys.argv = ["framescope", "no such command"]
try:
    program.main()
except SystemExit:
    print(os.environ["OPENBLAS_NUM_THREADS"])
"""
    environ = {**os.environ, "OPENBLAS_NUM_THREADS": "7"}
    done = subprocess.run([sys.executable, "-P", "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "1"
