"""Animated models and pages: nodes, tracks and meshes of a scene as GLB, USD and HTML."""
