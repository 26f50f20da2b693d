"""The habits of the suite: what every test is held to, and what it is kept away from."""

import contextlib
import functools
import gc
import ipaddress
import itertools
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import hypothesis
import pytest

from framescope.core.system.garbage_collection import set_aside
from framescope.ui.qt_support.exception_guard import guard_overrides
from tests.support.leaks import address, hunt, top_level_widgets

guard_overrides()  # before any test makes a widget, as the program does
gc.disable()  # while all tests are collected: what they are made of stays, and would be looked through again and again

# A time limit for each example says more about the load of the machine than about the code. The examples are the same
# in every run, so more of them find a mistake no later; ``pytest --hypothesis-profile explore`` tries many new ones.
hypothesis.settings.register_profile("framescope", deadline=None, derandomize=True, max_examples=40)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile("framescope")

FIRST = {"test_whole_program.py", "test_export_cluster.py", "test_use_export.py", "test_view_memory.py"}
"""The modules that begin."""

_has_failed = pytest.StashKey[bool]()

MAY_START = {"process", "browser", "window"}
"""The markers of tests that may start another process; a window starts one for what it has done beside itself."""


JOURNEYS = (
    *("test_use_*.py", "test_whole_program.py", "test_window_grown.py"),
    *("test_touch.py", "test_hand_chart.py", "test_export_interactive.py", "test_interactive_page_*.py"),
    *("test_write_lessons.py", "test_lesson_keys.py", "test_next_scene.py", "test_everything.py"),
    *("test_page_accessibility.py", "test_page_in_course.py", "test_lesson_page.py", "test_lesson_page_by_hand.py"),
    *("test_film_export.py", "test_film_frames.py", "test_export_films.py", "test_export_jobs.py"),
    *("test_export_everything.py", "test_deep_chains.py"),
    *("test_shown_commands.py", "test_causes_in_turn.py", "test_hostile_window.py", "test_children_end.py"),
    *("test_step_form.py", "test_gesture_work.py", "test_export_words.py", "test_reader_slips.py"),
)
"""The modules of tests that are journeys: long ways through windows, pages, films and commands."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is left with it at the end."""
    items.sort(key=lambda item: item.path.name not in FIRST)


def pytest_collection_finish() -> None:
    """Set aside what all tests are made of."""
    set_aside()
    gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by where it is and what it asks for; what starts processes or approves pictures says so itself."""
    if _is_journey(item.path.name):
        item.add_marker("journey")
    names = set(getattr(item, "fixturenames", ()))
    if "qapp" in names:
        item.add_marker("window")
    if "browser" in names:
        item.add_marker("browser")
    if "desktop_of" in names:
        item.add_marker("process")
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        item.add_marker("fuzz")


@functools.cache  # thousands of tests are in a few hundred modules
def _is_journey(module: str) -> bool:
    return any(fnmatch(module, pattern) for pattern in JOURNEYS)


def _is_pure(node: pytest.Item) -> bool:
    """Return whether a test is of the core, which knows neither Qt nor VTK: its module is looked at as a whole."""
    return node.path.parent.name == "core" and node.get_closest_marker("window") is None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note whether the test has failed, for the fixture below; where all are to run, one that is not run has."""
    report = yield
    if report.skipped and "FRAMESCOPE_ALL_TESTS" in os.environ and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if reason.startswith(("not run:", "could not import")):
            report.outcome, report.longrepr = "failed", f"FRAMESCOPE_ALL_TESTS is set, and this test was {reason}"
    if report.failed:
        item.stash[_has_failed] = True
    return report


@pytest.fixture(autouse=True)
def nothing_stays_alive(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a top-level Qt widget or a VTK object alive.

    What is alive at the start is set aside, so that the collection and the search at the end see only
    what the test has made: a millisecond instead of a quarter of a second. pytest-qt has closed the widgets that the
    test gave it by then. A failed test is let off, as its traceback holds on to its variables.
    """
    if _is_pure(request.node):
        yield
        return
    if "shared_window" in request.fixturenames:  # what it leaves is looked for when the window is left
        yield
        request.node.funcargs.clear()
        if request.node.stash.get(_has_failed, False):
            _leave_shared_window(has_failed=True)
        return
    _leave_shared_window()
    widgets_before = {address(widget) for widget in top_level_widgets()}
    set_aside()
    yield
    if request.node.stash.get(_has_failed, False):
        return
    request.node.funcargs.clear()  # pytest would hold on to the values of fixtures that are long torn down
    hunt(widgets_before)


@pytest.fixture(autouse=True)
def application_is_on_the_display() -> Iterator[None]:
    """Fail a test that is the first to start Qt's application, off screen: no later test of the process has windows."""
    before = _platform()
    yield
    if not before and _platform() == "offscreen" and "DISPLAY" in os.environ:
        pytest.fail("it draws with Qt before there is an application: ask for the fixture qapp")


def _platform() -> str:
    """Return the platform of Qt's application; empty if there is none."""
    gui = sys.modules.get("PySide6.QtGui")
    return gui.QGuiApplication.platformName() if gui and gui.QGuiApplication.instance() else ""


def _leave_shared_window(*, has_failed: bool = False) -> None:
    shared = sys.modules.get("tests.support.shared_window")
    if shared:
        shared.SHARED.leave(has_failed=has_failed)


@pytest.fixture(autouse=True, scope="module")
def frozen_objects_thaw(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the garbage collector see again what was frozen: what fixtures of a wide scope held may be garbage by now.

    A module of the core is searched for leaks here, once for all of its tests.
    """
    is_core = request.path.parent.name == "core"
    widgets_before = {address(widget) for widget in top_level_widgets()} if is_core else set()
    if is_core:
        set_aside()
    yield
    if is_core and not request.session.testsfailed:
        hunt(widgets_before)
    _leave_shared_window(has_failed=bool(request.session.testsfailed))
    gc.unfreeze()


@pytest.fixture(scope="session")
def settings_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give folders for settings one after another; they lie in one, as making one searches those beside it."""
    below = tmp_path_factory.mktemp("settings")
    return (below / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def settings_of_its_own(
    request: pytest.FixtureRequest, settings_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch
) -> Path | None:
    """Give each test empty settings, so that it neither finds nor changes those of the person who runs it."""
    if _is_pure(request.node):
        return None
    home = next(settings_folders)
    home.mkdir()
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home))
    core = sys.modules.get("PySide6.QtCore")
    if core:  # it reads the variables only once
        for form in (core.QSettings.Format.NativeFormat, core.QSettings.Format.IniFormat):
            core.QSettings.setPath(form, core.QSettings.Scope.UserScope, str(home))
    return home


@pytest.fixture(autouse=True)
def edges_stay_plain(
    request: pytest.FixtureRequest,
    nothing_stays_alive: None,  # what a test has put in a place is gone when that looks
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Leave out the picture with smooth edges that follows once a window stands still: tests/ui looks at that."""
    if request.path.parent.name in ("app", "window") and request.node.get_closest_marker("window"):
        monkeypatch.setattr("framescope.ui.scene_view.render_quality.STILL_MS", 3_600_000)


@pytest.fixture(autouse=True, scope="session")
def processes_are_marked(managed_display) -> Iterator[None]:
    """Refuse to start a process in a test that bears none of the markers for it: `run.py test fast` would run it."""
    start = subprocess.Popen.__init__

    def guarded(self: subprocess.Popen, *arguments, **options) -> None:
        is_marked = not _running or any(_running[-1].get_closest_marker(name) for name in MAY_START)
        if not is_marked and arguments[0][0] != "fc-list":  # matplotlib's, once on a machine: it looks for fonts
            raise RuntimeError("A test that starts a process bears the marker for it: pytest.mark.process.")
        start(self, *arguments, **options)

    subprocess.Popen.__init__ = guarded
    yield
    subprocess.Popen.__init__ = start


_running: list[pytest.Item] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    """Know which test is running."""
    _running.append(item)
    result = yield
    _running.clear()
    return result


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Refuse connections to other machines."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_loopback(address[0]):
            raise RuntimeError(f"A test tried to reach {address[0]}; tests use no network.")
        connect(self, address)

    socket.socket.connect = guarded
    yield
    socket.socket.connect = connect


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(autouse=True, scope="session")
def managed_display() -> Iterator[None]:
    """Put a window manager on the virtual display that pytest-xvfb has started: without one, windows behave oddly."""
    display = getattr(sys.modules.get("pytest_xvfb"), "xvfb_instance", None)
    if display is None:
        yield
        return
    from tests.support import desktop

    if desktop.lacking() is not None:
        yield  # the tests that ask for one say so
        return
    with desktop.window_manager(f":{display.display}"):
        yield


@pytest.fixture(scope="session")
def desktop_of() -> Iterator[Callable]:
    """Give what makes a virtual display of a size, with a window manager; one of each size for all tests."""
    from tests.support import desktop

    reason = desktop.lacking()
    if reason is not None:
        pytest.skip(reason)
    with contextlib.ExitStack() as held:
        yield functools.cache(lambda width, height: held.enter_context(desktop.desktop(width, height)))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator:
    """Give Chromium, one for all tests: its start costs more than what most of them look at."""
    from tests.support import foreign
    from tests.support.browser import Browser

    if foreign.chromium() is None:
        pytest.skip("not run: Chromium is missing")
    with Browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


FOR_MS = 30_000
"""How long a machine that does much else may take for what takes a moment."""


@pytest.fixture
def qtbot(qtbot):
    """Wait for a state as long as it may take on a busy machine, unless a test says how long."""
    for name in ("waitUntil", "waitSignal", "waitExposed", "waitActive"):
        setattr(qtbot, name, functools.partial(getattr(qtbot, name), timeout=FOR_MS))
    return qtbot


@pytest.fixture
def dark(qapp):
    """Dress the application in the dark theme."""
    from framescope.ui.theme import current_theme
    from framescope.ui.theme.tokens import DARK

    if current_theme.current() is not DARK or not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)


@pytest.fixture
def desk(qtbot):
    """Give a window to put a widget in, with another field that has the focus."""
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

    desk = QWidget()
    qtbot.addWidget(desk)
    desk.setProperty("role", "panel")
    desk.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    desk.resize(420, 180)
    desk.other = QLineEdit()
    column = QVBoxLayout(desk)
    column.addWidget(desk.other)

    def put(widget):
        column.addWidget(widget)
        desk.show()
        with qtbot.waitExposed(desk):
            pass
        desk.activateWindow()
        qtbot.waitUntil(desk.isActiveWindow)
        desk.other.setFocus()
        return widget

    desk.put = put
    return desk


@pytest.fixture
def quick_wheel(monkeypatch):
    """Let the wheel rest for a moment only before its burst counts as finished."""
    from framescope.ui.qt_support import gesture

    monkeypatch.setattr(gesture, "SETTLE_MS", 1)


@pytest.fixture
def open_window(qtbot):
    """Give what opens the whole window on a scene file; all are closed at the end, whatever is unsaved."""
    from tests.support.whole_window import windows

    with windows(qtbot) as open_it:
        yield open_it


@pytest.fixture
def shared_window(qtbot):
    """Give what opens a scene in the whole window of the test before, where it is as if new; else in another one."""
    from tests.support.shared_window import SHARED
    from tests.support.whole_window import opened_window

    return functools.partial(SHARED.open, make=functools.partial(opened_window, qtbot=qtbot))
