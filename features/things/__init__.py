"""Things to insert: cameras, other sensors, parts of robots and vehicles, and standard frames."""
