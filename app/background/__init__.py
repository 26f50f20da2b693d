"""Work beside the window: threads, worker processes, and what keeps the window responsive meanwhile."""
