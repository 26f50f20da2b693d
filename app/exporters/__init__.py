"""Export of scenes: a module for each family of formats, a registry by file suffix, and an off-screen renderer.

The command line and scripts call ``registry.export``. Nothing here opens a window.
"""
