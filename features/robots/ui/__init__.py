"""Joints panel: the values of all joints of a scene, as sliders and numbers."""
