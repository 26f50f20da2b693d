"""Functions of time: expressions, keyframes and splines, each with its exact derivatives.

Expressions are computed with two derivatives (`jets`), so that rates are exact. `breakpoints` finds the times at which
an expression bends or jumps, down to neighbouring floats.
"""
