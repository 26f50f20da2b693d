"""
Curves over time: numpy arrays in, `scrubbed(t)` out. The only place that imports pyqtgraph.

May import what `framescope.ui.widgets` may, and that package.
"""
