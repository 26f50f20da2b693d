"""Access to the operating system: files, the garbage collector, optional packages."""
