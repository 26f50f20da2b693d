"""Quaternion panel: the quaternion of the selected frame as pictures and numbers to try with."""
