"""Import of tables and trajectories, with guessed columns and conventions."""
