"""Convention detective in the window: sources of the numbers, findings, and conversion code.

`detective_panel.DetectivePanel` is the widget of the dock; the scene draws each selected finding as a `Candidate`.
"""
