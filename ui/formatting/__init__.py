"""Text of numbers, units, times and item names, and the reading of what is typed. No Qt."""
