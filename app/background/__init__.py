"""Background work: threads and worker processes, and the means to keep the window responsive."""
