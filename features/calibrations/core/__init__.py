"""Calibrations as fixed poses of frames and lenses of cameras; their dialects; their scenes."""
