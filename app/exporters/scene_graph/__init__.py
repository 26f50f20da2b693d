"""Animated models and pages: nodes, tracks and meshes of a scene, written as GLB, USD and HTML."""
