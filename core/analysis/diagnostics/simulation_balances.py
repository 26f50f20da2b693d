"""What is to be said of simulated runs when their balances are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, found
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.fields import set_values

CLOSED = 1e-4
"""Part of the largest energy or momentum that may be missing."""

HELD = 1e-6
"""How far a velocity source may be missed, m and m/s."""

USUAL = 1e-9
"""The tolerance that is proposed for a coarser one."""

SMALLEST = 1e-12
"""The tolerance that is proposed for that."""


def run_faults(plan: Plan) -> Iterator[Diagnosis]:
    """Yield which balances of the run do not close."""
    simulation = plan.instruments.simulation
    if simulation is None:
        return
    balance = simulation.balance
    parts = [
        (balance.energy, CLOSED, "the energy balance is off by {:.1e} of the largest energy"),
        (balance.linear_momentum, CLOSED, "the momentum balance is off by {:.1e} of the largest momentum"),
        (balance.angular_momentum, CLOSED, "the balance of angular momentum is off by {:.1e} of the largest"),
        (balance.constraint_position, HELD, "velocity sources are missed by {:.1e} m"),
        (balance.constraint_velocity, HELD, "velocity sources are missed by {:.1e} m/s"),
    ]
    open_ones = [text.format(miss) for miss, limit, text in parts if not miss <= limit]
    if not open_ones:
        return
    key = ("simulation", "tolerance")
    tolerance = plan.scene.simulation.tolerance
    one = found(
        key, "balance-open", "balance not closed", f"{'; '.join(open_ones)}.", f"The tolerance is {tolerance:g}."
    )
    if tolerance > SMALLEST:
        new = USUAL if tolerance > USUAL else SMALLEST
        one = one.with_mend("Tighten tolerance", set_values({key: new}, f"Simulated with a tolerance of {new:g}"))
    yield one
