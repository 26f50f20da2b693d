"""Camera of the 3D view: state, presets, following and fitting."""
