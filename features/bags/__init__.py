"""Bags of ROS 1 and ROS 2: reading them, the scene of their frames, and the faults in them."""
