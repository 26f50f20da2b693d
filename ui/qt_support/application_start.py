"""Start of Qt's application, with a message if no platform can start, where Qt alone would abort the process."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

EXIT_STATUS = 3
"""Exit status of a process in which Qt cannot start, as for all errors of the machine."""

_VARIABLES = (
    *("QT_QPA_PLATFORM", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_PLUGIN_PATH", "QT_QPA_EGLFS_INTEGRATION", "EGL_PLATFORM"),
    "__EGL_VENDOR_LIBRARY_FILENAMES",
)
"""Variables that keep Qt from starting if their value is wrong."""

_COMMON = "This application failed to start because no Qt platform plugin could be initialized."
"""Beginning of Qt's last message if an earlier message has the cause."""


def start_application(words: Sequence[str]) -> QApplication:
    """Return Qt's application, started with the words of a command line.

    If Qt cannot start, it aborts the process. A handler of its messages ends the process before, with a message on
    standard error and `EXIT_STATUS`. Other messages of Qt are written after the start.
    """
    messages: list[str] = []

    def take(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind == QtMsgType.QtFatalMsg:
            sys.stderr.write(f"{failure_text([*messages, message], os.environ)}\n")
            sys.stderr.flush()
            os._exit(EXIT_STATUS)  # Qt aborts when this function returns
        category = str(context.category or "default")
        messages.append(message if category == "default" else f"{category}: {message}")

    before = qInstallMessageHandler(take)
    try:
        return QApplication(list(words))
    finally:
        qInstallMessageHandler(before)
        for message in messages:
            sys.stderr.write(f"{message}\n")


def failure_text(messages: Sequence[str], variables: Mapping[str, str]) -> str:
    """Return a message with the reasons why Qt cannot start, from Qt's own messages, and with possible fixes.

    >>> print(failure_text(["Could not initialize egl display"], {"QT_QPA_PLATFORM": "eglfs"}))
    Framescope cannot draw: Qt cannot start on its platform eglfs.
    Qt reports: Could not initialize egl display.
    QT_QPA_PLATFORM is 'eglfs': try without it.
    """
    causes = [_printable(message) for message in messages if not message.startswith(_COMMON)]
    asked = ascii(variables.get("QT_QPA_PLATFORM", "")).strip("'")
    lines = [f"Framescope cannot draw: Qt cannot start{f' on its platform {asked}' if asked else ''}."]
    lines += [f"Qt reports: {'; '.join(dict.fromkeys(causes))}."] if causes else []
    lines += [f"{name} is {variables[name]!a}: try without it." for name in _VARIABLES if variables.get(name)]
    if any("could not connect to display" in cause for cause in causes):
        lines.append("The display refuses this user: start Framescope as the user who is logged in there.")
        lines += [f"XAUTHORITY is {path!a}: try without it." for path in [variables.get("XAUTHORITY")] if path]
    if len(lines) < 3:
        lines.append("`python3 run.py` in the folder of Framescope looks for libraries of the system that are missing.")
    return "\n".join(lines)


def _printable(message: str) -> str:
    """Return a message of Qt in one line, without control characters."""
    words = " ".join(message.split()).rstrip(".")
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in words)
