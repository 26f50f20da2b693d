"""Quaternion panel: half angles, the double cover, products and the belt trick."""
