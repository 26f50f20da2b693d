"""Widgets and the 3D view: imports core, Qt and VTK, never app."""
