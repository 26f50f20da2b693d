"""Functions of time: expressions, keyframes and splines, each with its exact derivatives.

Expressions carry value and two derivatives (`jets`), so that rates are exact. `breakpoints` finds where an expression
bends or jumps, to neighbouring floats.
"""
