"""Formulas as code: traced once on symbols, then translated to machine code, Python or JavaScript."""
