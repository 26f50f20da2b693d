"""Program without features: the commands of the base work, and a missing feature is named in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from framescope.core.system import features
from framescope.core.system.features import PROVIDERS, READERS, missing_provider, missing_reader
from tests.support.scenes import GOOD

pytestmark = pytest.mark.process

WITHOUT_FEATURES = """
import json, sys
from framescope.core.system import features
features.installed_features = lambda: ()
from typer.testing import CliRunner
from framescope.app.cli.main import app, with_command
results = []
for words in json.loads(sys.argv[1]):
    result = CliRunner().invoke(app, with_command(words))
    results.append((result.exit_code, result.stdout, result.stderr, repr(result.exception)))
print(json.dumps(results))
"""
"""Program of a process that has no features, and runs commands."""

FILES = {
    "arm.urdf": ('<robot name="arm"><link name="base"/></robot>', "robots"),
    "arm.xacro": ('<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:arm/></robot>', "robots"),
    "drive.bag": ("#ROSBAG V2.0\n", "bags"),
    "own.lesson.md": ("# Own\n", "lessons"),
    "result.mat": ("\0\0", "modelica"),
}
"""Content of files, and the features that read them."""


HELP = ["--help"]
CHECK = ["check", "demo"]
EVALUATE = ["evaluate", "demo", "--stop", "0.1", "--rate", "10"]
EXPORT = ["export", "good.yaml", "good.gif", "--size", "160x120", "--fps", "10", "--jobs", "1"]
REFUSED = {
    **{
        f"check {name}": f"{name} is read by the feature {feature}, which is not installed."
        for name, (_, feature) in FILES.items()
    },
    "detect a.csv b.csv": "The command detect belongs to the feature detective, which is not installed.",
    "import a.csv": "The command import belongs to the feature table_import, which is not installed.",
    "lesson list": "The command lesson belongs to the feature lessons, which is not installed.",
    "robot diff demo": "The command robot belongs to the feature robots, which is not installed.",
    "export demo page.html": "page.html: the format .html belongs to the feature web_page, which is not installed.",
    "export demo film.mp4 --cluster tcp://127.0.0.1:1": (
        "cluster: films are made on a cluster by the feature cluster, which is not installed."
    ),
    "check walk.csv": "Recordings and meshes are imported by the feature table_import, which is not installed.",
}
"""Commands that need a missing feature, and the sentences that name it."""


@dataclass(frozen=True)
class Result:
    """Result of a command."""

    status: int
    stdout: str
    stderr: str
    exception: str


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Make a folder with a scene and a file of each missing feature."""
    path = tmp_path_factory.mktemp("features")
    (path / "good.yaml").write_text(GOOD.replace("title: Test", "title: Test\ntime: {start: 0 s, end: 100 ms}"))
    (path / "walk.csv").write_text("t,x,y,z\n0,1,2,3\n1,1,2,3\n")
    for name, (content, _) in FILES.items():
        (path / name).write_text(content)
    return path


@pytest.fixture(scope="module")
def results(folder) -> dict[str, Result]:
    """Run all commands in one process without features."""
    commands = [HELP, CHECK, EVALUATE, EXPORT, *(text.split() for text in REFUSED)]
    arguments = [sys.executable, "-c", WITHOUT_FEATURES, json.dumps(commands)]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    made = [Result(*fields) for fields in json.loads(done.stdout)]
    return {" ".join(command): result for command, result in zip(commands, made, strict=True)}


def test_that_the_help_lists_the_commands_of_the_base_alone(results) -> None:
    help_text = results[" ".join(HELP)].stdout
    names = ("open", "schema", "check", "evaluate", "export", "picture", "convert")
    places = [help_text.index(f" {name}  ") for name in names]
    assert places == sorted(places)
    for command in ("import", "detect", "lesson", "robot"):
        assert f" {command}  " not in help_text


def test_that_scenes_are_checked_evaluated_and_exported(results, folder) -> None:
    for command in (CHECK, EVALUATE, EXPORT):
        result = results[" ".join(command)]
        assert result.status == 0, result
    assert "no problems" in results[" ".join(CHECK)].stdout
    assert (folder / "good.gif").read_bytes().startswith(b"GIF89a")


@pytest.mark.parametrize("command", REFUSED)
def test_that_what_a_missing_feature_provides_is_refused_in_one_sentence(results, command) -> None:
    result = results[command]
    assert result.status == 2, result
    assert result.exception == "SystemExit(2)"
    assert REFUSED[command] in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_that_the_messages_name_features_that_exist() -> None:
    installed = {feature.name for feature in features.installed_features()}
    assert {*READERS.values(), *PROVIDERS.values()} <= installed
    assert [name for name in READERS if missing_reader(f"x{name}")] == []
    assert [name for name in PROVIDERS if missing_provider(name)] == []
