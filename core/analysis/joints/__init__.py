"""Kinematics of joints: what each gives to the motion of a frame, and where two of them give the same."""
