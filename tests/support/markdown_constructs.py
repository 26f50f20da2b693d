"""Formulas in each construct of Markdown, and those of them that stand in text."""

from __future__ import annotations

CONSTRUCTS = {
    "title of a link": ('[a](b "$x$")', []),
    "address": ("[a](b$x$c)", []),
    "words of a link": ("[$x$](b)", ["x"]),
    "reference": ('[a]\n\n[a]: b "$x$"', []),
    "words of an image": ("![$x$](b.png)", []),
    "code": ("`` `$x$` ``", []),
    "code, indented": ("    $x$", []),
    "code, tildes": ("~~~\n$x$\n~~~", []),
    "words of a fence": ("~~~ $x$\ny\n~~~", []),
    "HTML": ("<b title='$x$'>", ["x"]),
    "comment": ("<!-- $x$ -->", ["x"]),
    "emphasis": ("**$x$** *$y$*", ["x", "y"]),
    "heading": ("### $x$", ["x"]),
    "table": ("| $x$ | b |\n|---|---|\n| 1 | $y$ |", ["x", "y"]),
    "list": ("- $x$\n  1. $y$", ["x", "y"]),
    "quotation": ("> $x$", ["x"]),
}
