"""Programs of others: installed before the tests where that is possible, missed aloud where not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import foreign
from tests.tools import check_run
from tests.tools.test_run import DEBIAN, ROOT_USER, USER, Host, run

LACKING = """
import pytest


@pytest.fixture(scope="module")
def browser():
    pytest.skip("not run: Chromium is missing")


def test_needs_a_browser(browser):
    pass


def test_needs_a_validator():
    pytest.skip("not run: gltf-validator is missing")


def test_needs_a_module():
    pytest.importorskip("no_such_module")


@pytest.mark.skipif(True, reason="it is another system's")
def test_of_another_system():
    pass


def test_runs():
    pass
"""


def outcomes(tmp_path: Path, **environ: str) -> tuple[int, str]:
    shutil.copy(Path(__file__).parents[1] / "conftest.py", tmp_path)
    (tmp_path / "test_lacking.py").write_text(LACKING)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n window\n process\n browser\n fuzz\n approval\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-rA",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xvfb",
        "-p",
        "no:pytest-qt",
        str(tmp_path),
    ]
    inherited = {key: value for key, value in os.environ.items() if key != "FRAMESCOPE_ALL_TESTS"}
    inherited["PYTHONPATH"] = str(Path(__file__).parents[2])  # where `tests.support` is
    done = subprocess.run(
        command, cwd=tmp_path, env=inherited | environ, capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout


@pytest.mark.process
def test_that_a_test_that_lacks_a_program_is_not_run_and_says_so(tmp_path) -> None:
    status, said = outcomes(tmp_path)
    assert status == 0
    assert "1 passed, 4 skipped" in said
    assert "not run: Chromium is missing" in said


@pytest.mark.process
def test_that_it_fails_where_all_tests_are_to_run(tmp_path) -> None:
    status, said = outcomes(tmp_path, FRAMESCOPE_ALL_TESTS="1")
    assert status == 1
    assert "2 failed, 1 passed, 1 skipped, 1 error" in said
    assert "FRAMESCOPE_ALL_TESTS is set, and this test was not run: gltf-validator is missing" in said


def test_that_the_check_of_every_change_asks_for_all_tests() -> None:
    lines = (foreign.ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert any(
        line.startswith("export FRAMESCOPE_ALL_TESTS=1") for line in lines[: lines.index("python3 run.py test all")]
    )


# What run.py does


@pytest.fixture
def played(monkeypatch):
    """What was installed and run, with no Chromium on the machine."""
    done = []
    lacking = run.platforms.missing_needs
    monkeypatch.setattr(run.platforms, "missing_needs", lambda names, host: lacking(names, host, lambda need: False))
    monkeypatch.setattr(run, "install_packages", lambda needs, host: done.append([need.package for need in needs]))
    monkeypatch.setattr(run.subprocess, "run", lambda command, **kwargs: done.append(list(command[1:])))
    return done


MANAGER = ["openbox", "wmctrl", "xdotool", "x11-utils", "x11-utils"]


def test_that_root_on_debian_gets_chromium_and_a_window_manager_for_the_tests(played) -> None:
    run.grant_wishes(run.plan(["test"], ROOT_USER), ROOT_USER)
    assert played == [MANAGER, ["chromium"], ["tests/support/foreign.py"]]
    for line in ([], ["--", "export"]):
        played.clear()
        run.grant_wishes(run.plan(line, ROOT_USER), ROOT_USER)
        assert played == []


def test_that_the_check_gets_the_tools_of_node_and_no_package_of_the_system(played) -> None:
    run.grant_wishes(run.plan(["check"], ROOT_USER), ROOT_USER)
    assert played == [["tests/support/foreign.py"]]


def test_that_ubuntu_gets_the_window_manager_though_its_chromium_is_a_snap(played) -> None:
    ubuntu = Host("linux", is_root=True, os_release={"ID": "ubuntu", "ID_LIKE": "debian"})
    run.grant_wishes(run.plan(["test"], ubuntu), ubuntu)
    assert played == [MANAGER, ["tests/support/foreign.py"]]


def test_that_benchmarks_get_a_window_manager_for_random_use(played) -> None:
    run.grant_wishes(run.plan(["bench", "monkey"], ROOT_USER), ROOT_USER)
    assert played == [MANAGER]


@pytest.mark.parametrize("host", [USER, Host("darwin"), Host("win32")])
def test_that_elsewhere_nothing_is_installed_and_nobody_is_stopped(played, host) -> None:
    run.grant_wishes(run.plan(["test"], host), host)
    assert played == [["tests/support/foreign.py"]]


def test_that_an_installation_that_fails_stops_nobody(played, monkeypatch, capsys) -> None:
    def fail(needs, host):
        raise run.SetupError("no network")

    monkeypatch.setattr(run, "install_packages", fail)
    run.grant_wishes(run.plan(["test"], ROOT_USER), ROOT_USER)
    assert played == [["tests/support/foreign.py"]]
    told = capsys.readouterr().out
    assert "could not be installed, and is done without: openbox" in told
    assert "could not be installed, and is done without: chromium" in told


def test_that_chromium_has_its_package() -> None:
    needs = run.platforms.SYSTEM_NEEDS["browser"]
    assert run.platforms.debian_packages(needs, Host("linux", os_release=DEBIAN)) == ["chromium"]


# What is installed with npm


@pytest.fixture
def web(tmp_path, monkeypatch):
    """What npm is asked for, and with which status it ends."""
    calls, status = [], [0]
    monkeypatch.setattr(foreign, "INSTALLED", tmp_path / "web")
    monkeypatch.setattr(foreign, "npm_command", lambda: ["npm"])

    def npm(command, **kwargs):
        calls.append(command)
        return subprocess.CompletedProcess(command, status[0], "", "no network\n")

    monkeypatch.setattr(foreign.subprocess, "run", npm)
    return calls, status


def test_that_it_is_installed_once(web) -> None:
    calls, _ = web
    assert foreign.install() == foreign.install() == ""
    assert [command[:2] for command in calls] == [["npm", "ci"]]
    assert "--ignore-scripts" in calls[0]


def test_that_a_failure_is_told_and_tried_again(web, capsys) -> None:
    calls, status = web
    status[0] = 1
    foreign.main()
    assert "what needs them cannot run.\nno network" in capsys.readouterr().out
    status[0] = 0
    assert foreign.install() == ""
    assert len(calls) == 2


def test_that_without_npm_it_says_so(web, monkeypatch) -> None:
    monkeypatch.setattr(foreign, "npm_command", lambda: None)
    assert foreign.install() == "npm is missing"


def test_that_a_check_without_its_tool_fails_and_says_what_is_missing(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(foreign, "INSTALLED", tmp_path)
    for step, package in (("script types", "typescript"), ("script rules", "eslint")):
        assert check_run.STEPS[step]().startswith(f"{package} is not installed in build/web")


def test_that_the_pins_name_no_host() -> None:
    lock = (foreign.WEB / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in lock
    assert '"integrity": "sha512-' in lock
