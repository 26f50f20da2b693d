"""The camera of the 3D view: its state, presets, following and fitting."""
