"""Quaternions for teaching: half angle, double cover, sandwich product, products of turns, and slerp both ways."""
