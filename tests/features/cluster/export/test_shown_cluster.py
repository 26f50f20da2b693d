"""The commands of the manual's page on clusters make films together, on this machine instead of many.

Of eight workers one is started, and the films are cut.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.desktop import wait_until
from tests.support.shown_commands import PAGES, shown_commands

pytestmark = [pytest.mark.process, pytest.mark.soak]

pytest.importorskip("distributed", reason="not run: distributed is missing")

COMMANDS = shown_commands()
SCHEDULER, WORKER, EXPORT = "dask scheduler", "dask worker", "framescope export"
ENVIRON = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


def texts_of(protocol: str) -> dict[str, str]:
    """Return the commands of a cluster that speaks a protocol, by their first words."""
    texts = [
        command.text for command in COMMANDS if command.needs_cluster and ("tls" in command.text) == (protocol == "tls")
    ]
    return {" ".join(text.split()[:2]): text for text in texts}


def addressed(text: str, port: int) -> str:
    """Return a command with the address of a scheduler on this machine."""
    return re.sub(r"(tcp|tls)://[\d.]+:8786", rf"\1://127.0.0.1:{port}", text)


@contextlib.contextmanager
def serving(line: str, log: Path, sign: str, environ: dict[str, str]) -> Iterator[None]:
    """Run a command until the end of the block, which begins when the command has printed a sign."""
    with log.open("w") as out:
        process = subprocess.Popen(
            f"exec {line}", shell=True, cwd=log.parent, env=environ, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        wait_until(lambda: sign in log.read_text(encoding="utf-8") or process.poll() is not None, sign)
        assert process.poll() is None, log.read_text(encoding="utf-8")
        yield
    finally:
        process.terminate()
        process.wait(60)


def export_on_cluster(protocol: str, folder: Path, environ: dict[str, str]) -> str:
    """Start the scheduler and the workers of the page, and export as it says; return what all have printed."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    lines = {start: addressed(text, port) for start, text in texts_of(protocol).items()}
    scheduler = f"{lines[SCHEDULER]} --host 127.0.0.1 --port {port} --no-dashboard --no-show"
    worker = f"{lines[WORKER]} --nworkers 1 --no-dashboard"
    logs = folder / "scheduler.txt", folder / "worker.txt"
    with (
        serving(scheduler, logs[0], "Scheduler at:", environ),
        serving(worker, logs[1], "Registered to:", environ),
    ):
        done = subprocess.run(
            f"{lines[EXPORT]} --stop 0.05",
            shell=True,
            cwd=folder,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
    text = "\n".join([done.stdout, done.stderr, *(log.read_text(encoding="utf-8") for log in logs)])
    assert done.returncode == 0, text
    return text


def test_that_each_command_of_a_cluster_is_run_below() -> None:
    texts = [text for protocol in ("tcp", "tls") for text in texts_of(protocol).values()]
    assert sorted(texts) == sorted(command.text for command in COMMANDS if command.needs_cluster)
    assert all(set(texts_of(protocol)) == {SCHEDULER, WORKER, EXPORT} for protocol in ("tcp", "tls"))


def test_that_the_commands_of_the_page_make_a_film(tmp_path) -> None:
    export_on_cluster("tcp", tmp_path, ENVIRON)
    assert (tmp_path / "demo.mp4").read_bytes().startswith(b"\0\0\0 ftyp")


def test_that_the_certificates_and_the_settings_of_the_page_make_a_film_with_tls(tmp_path) -> None:
    for command in COMMANDS:
        if command.words[0] == "openssl":
            subprocess.run(command.text, shell=True, cwd=tmp_path, capture_output=True, check=True)
    (settings,) = re.findall(r"^ {4}distributed:\n(?: {4}.*\n)+", PAGES["cluster"].read_text("utf-8"), re.MULTILINE)
    folder = tmp_path / "config"
    folder.mkdir()
    unindented = re.sub(r"^ {4}", "", settings, flags=re.MULTILINE)
    (folder / "framescope.yaml").write_text(unindented.replace("/home/me/tls", str(tmp_path)), encoding="utf-8")
    text = export_on_cluster("tls", tmp_path, ENVIRON | {"DASK_CONFIG": str(folder)})
    assert "Registered to: tls://" in re.sub(" +", " ", text)
    assert (tmp_path / "demo.mp4").read_bytes().startswith(b"\0\0\0 ftyp")
