"""Corpus of recordings as other programs write them: motions that are known, and the many ways files have them."""

from __future__ import annotations

from tests.imports.capture import capture
from tests.imports.euroc import euroc
from tests.imports.holes import holes
from tests.imports.inertial import inertial
from tests.imports.loggers import loggers
from tests.imports.matrices import matrices
from tests.imports.motions import Variant
from tests.imports.odometry import odometry
from tests.imports.stamps import stamps
from tests.imports.tum import tum
from tests.imports.writings import writings


def corpus() -> tuple[Variant, ...]:
    """All variants, each with a name of its own."""
    return (
        *tum(),
        *holes(),
        *euroc(),
        *matrices(),
        *inertial(),
        *odometry(),
        *capture(),
        *stamps(),
        *writings(),
        *loggers(),
    )
