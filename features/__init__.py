"""Features: everything that Framescope could do without, a folder each."""
