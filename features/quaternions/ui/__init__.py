"""Quaternion panel: interactive pictures and numbers of the selected frame's quaternion."""
