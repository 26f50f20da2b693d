"""The convention detective in the window: where the numbers come from, what was found, and its conversion as code.

`panel.DetectivePanel` is the dock's widget; `candidate.Candidate` is what the scene draws of a finding.
"""
