"""The shift of a velocity, an acceleration or a force to a point of a body: the panel with its terms as numbers.

What is drawn of it stands in `framescope.features.shift.ui.shift_arrows`; both are of one `ShiftKey`. Imports no
VTK.
"""
