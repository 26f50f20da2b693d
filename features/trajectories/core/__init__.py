"""Records and formulas of trajectories, without files of the program and without a window."""
