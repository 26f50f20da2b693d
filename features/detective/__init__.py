"""Convention detective: finds the conventions in which two sets of numbers are the same orientations."""
