"""Shift of a velocity, an acceleration or a force to a point of a body: a panel with numbers, and arrows in the scene.

A `ShiftKey` identifies the shift for the panel and for the arrows in `framescope.features.shift.ui.shift_arrows`. All
other modules import no VTK.
"""
