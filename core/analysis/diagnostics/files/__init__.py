"""Problems of what frames come from: transforms of bags, robots in files."""
