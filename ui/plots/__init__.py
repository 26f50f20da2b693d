"""Curves over time: numpy arrays in, `scrubbed(t)` out.

Only this package imports pyqtgraph. It may import the same packages as `framescope.ui.widgets`, and that one.
"""
