"""Formulas as code: a formula runs on symbols once, and is written down for machines and browsers."""
