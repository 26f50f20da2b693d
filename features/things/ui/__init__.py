"""Bar for a frame as one row of typing."""
