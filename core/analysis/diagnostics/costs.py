"""Costs of explanations: the less likely an explanation, the higher its cost. Equal fits are ranked by cost.

Changing one word of a file costs about 1. Each fitted number costs more, an unbounded one the most.
"""

DELAY_COST = 1.5
"""Cost of a clock offset."""

SCALE_COST = 2.4
"""Cost of a scale."""

OFFSET_COST = 4.0
"""Cost of a fixed offset of any size."""
