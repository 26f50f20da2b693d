"""Recorded motions: trajectory files, pose columns of tables, and splines through the poses."""
