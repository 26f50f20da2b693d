"""Formulas as code: a formula is traced once on symbols and translated for machines and browsers."""
