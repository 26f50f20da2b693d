"""Quaternion panel: half angles, double cover, products and belt trick."""
