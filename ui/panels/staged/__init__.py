"""Overlay of a staged rotation: its steps, its formula, and its active or passive reading.

Other packages use only `StagedOverlay`, which places the other widgets over a `SceneView`.
"""
