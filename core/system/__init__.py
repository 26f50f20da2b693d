"""What touches the operating system: files, the garbage collector, optional packages."""
