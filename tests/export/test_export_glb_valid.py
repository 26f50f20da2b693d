"""GLB files of all examples, judged by the Khronos validator."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from framescope.app.exporters.registry import export
from framescope.app.session.scene_lookup import example_path
from tests.support import foreign
from tests.support.examples import example

pytestmark = [pytest.mark.process, pytest.mark.soak]

EXAMPLES = sorted(path.stem for path in example_path("demo").parent.glob("*.yaml"))
ERROR, WARNING = 0, 1

MANY = 200
"""Of so many frames, each as long as those of other examples, a model would take seconds to no other end."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[str, dict]:
    """What the validator says of each example, asked once for all."""
    validator = foreign.validator()
    if validator is None:
        pytest.skip("not run: gltf-validator is missing")
    folder, paths = tmp_path_factory.mktemp("glb"), {}
    for name in EXAMPLES:
        scene, plan, _ = example(name)
        paths[name] = folder / f"{name}.glb"
        share = 0.25 if len(plan.names) < MANY else 0.02
        export(scene, plan, paths[name], accuracy=5.0, stop=plan.start + share * (plan.end - plan.start))
    command = [*foreign.node(), str(foreign.WEB / "validate.js"), str(validator), *map(str, paths.values())]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    told = json.loads(done.stdout)
    return {name: told[str(path)] for name, path in paths.items()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_that_the_validator_finds_neither_error_nor_warning(reports, name) -> None:
    report = reports[name]
    grave = [(issue["code"], issue["pointer"]) for issue in report["messages"] if issue["severity"] in (ERROR, WARNING)]
    assert grave == []
    assert (report["numErrors"], report["numWarnings"]) == (0, 0)
    assert report["animations"] == 1


def test_that_the_validator_finds_what_is_wrong(reports, tmp_path) -> None:
    scene, plan, _ = example("keyframes")
    path = tmp_path / "broken.glb"
    export(scene, plan, path, start=0.0, stop=0.2)
    content = bytearray(path.read_bytes())
    at = content.index(b'"componentType":5126')
    content[at : at + 20] = b'"componentType":5121'
    Path(path).write_bytes(content)
    command = [*foreign.node(), str(foreign.WEB / "validate.js"), str(foreign.validator()), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout)[str(path)]["numErrors"] > 0
