"""Formulas as code: a formula is traced once on symbols and translated to machine code, Python or JavaScript."""
