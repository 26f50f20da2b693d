"""Bags: recordings of messages by ROS 1, ROS 2 and Foxglove, listed by their index and read topic by topic."""
