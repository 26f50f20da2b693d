"""Controllers of robots: their joints, and their files."""
