"""Recorded motions: trajectory files, pose columns of tables, and the spline through them."""
