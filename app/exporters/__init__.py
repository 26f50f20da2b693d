"""Exporting a scene: one file per format family, a registry by suffix, and the headless renderer.

``registry.export`` is the way in, for the command line and for code. Nothing here opens a window.
"""
