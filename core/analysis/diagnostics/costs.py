"""Costs of explanations: how far-fetched each is, so that of those that fit as well the likeliest comes first.

What one word of a file says otherwise costs near 1. A number that is fitted costs more, and one that may be any most.
"""

DELAY_COST = 1.5
"""Cost of a clock that is apart."""

SCALE_COST = 2.4
"""Cost of a scale."""

OFFSET_COST = 4.0
"""Cost of a fixed offset, which may be any."""
