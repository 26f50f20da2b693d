"""Controller of the bar for a frame as one row of typing."""
