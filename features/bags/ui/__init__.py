"""Timeline of all frames of a recording: the times at which each is known, and its faults."""
