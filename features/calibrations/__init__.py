"""Calibrations: files that hold the pose of one sensor in another, each with its direction in words."""
