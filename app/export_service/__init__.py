"""Export in a separate process: the client, the worker's tasks, and their messages."""
