"""Window of the comparison of two texts."""
