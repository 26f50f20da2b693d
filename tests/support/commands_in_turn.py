"""Run commands of `framescope` in turn, each in a fork of one process that has imported what they share.

A command costs a tenth of a second this way, and half a second as a process of its own. The interpreter of a user's
environment runs this file: it uses the standard library and the program alone. A line of standard input is a command,
a line of standard output its result, both in JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from typing import IO, Any

SHARED = (
    *("framescope.app.cli.main", "framescope.app.importers.registry"),
    *("framescope.core.analysis.diagnostics.diagnose", "framescope.core.evaluation.signal_curves"),
    *("framescope.app.exporters.films.video", "framescope.app.exporters.rendering.scene_picture", "rich.progress"),
)
"""Modules that most commands import. None of them starts a thread or connects to a display."""


def run_forked(command: dict[str, Any]) -> dict[str, Any]:
    """Run one command in a fork; return its exit status and what it printed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        child = os.fork()
        if child == 0:
            become(command, out, error)
        _, status = os.waitpid(child, 0)
        for file in (out, error):
            file.seek(0)
        texts = [file.read().decode("utf-8") for file in (out, error)]
    return {"status": os.waitstatus_to_exitcode(status), "stdout": texts[0], "stderr": texts[1]}


def become(command: dict[str, Any], out: IO[bytes], error: IO[bytes]) -> None:
    """Be the process of a command until its end."""
    reading, writing = os.pipe()
    os.write(writing, command["standard_input"].encode())
    os.close(writing)
    for number, file in enumerate((reading, out.fileno(), error.fileno())):
        os.dup2(file, number)
    os.chdir(command["folder"])
    sys.argv = ["framescope", *command["arguments"]]
    from framescope.app.__main__ import main

    main()
    sys.exit(0)


if __name__ == "__main__":
    for name in SHARED:
        importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(run_forked(json.loads(line))), flush=True)
