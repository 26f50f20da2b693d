"""Compilation of MJCF in a child process."""

from __future__ import annotations

import json
import pickle
import subprocess
from typing import Any

from framescope.app.background.child_processes import ProcessLimits, run_child
from framescope.core.errors import FramescopeError
from framescope.core.system.optional_packages import MUJOCO
from framescope.features.robots.core.mjcf.compiled import CompiledModel, CompileError, model_of
from framescope.features.robots.core.mjcf.source import MjcfSource

TIMEOUT_S = 60.0

LIMITS = ProcessLimits(memory=2 << 30, cpu_s=65)
"""Limits of the compiler. The processor time ends it even if this program has ended."""


def compile_apart(source: MjcfSource) -> CompiledModel:
    """Return a model compiled by MuJoCo in a child process.

    Raises
    ------
    CompileError
        When the compiler rejects the model, crashes, or takes longer than a minute.
    FramescopeError
        When MuJoCo is not installed.
    """
    if not MUJOCO.is_installed:
        raise FramescopeError(MUJOCO.reason)
    data = pickle.dumps((source.text, dict(source.assets)))
    try:
        ended, written = run_child("framescope.features.robots.core.mjcf.child", data, TIMEOUT_S, LIMITS)
    except subprocess.TimeoutExpired:
        raise CompileError(f"it takes longer than {TIMEOUT_S:g} s.") from None
    try:
        result: dict[str, Any] = json.loads(written)
    except ValueError:
        raise CompileError(f"the compiler ended unexpectedly ({ended}). It may use up to 2 GB of memory.") from None
    if "refused" in result:
        raise CompileError(result["refused"])
    if "missing" in result:
        raise FramescopeError(result["missing"])
    return model_of(result)
