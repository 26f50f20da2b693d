"""Quaternions as they are taught: half the angle, two for one attitude, the product around a vector, and two ways."""
