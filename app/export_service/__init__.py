"""The export in a process of its own: client, worker and their messages."""
