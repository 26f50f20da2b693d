"""SDFormat, the format of Gazebo (http://sdformat.org/spec): models and worlds, with their named frames."""
