"""Evaluation of a scene over time: the compiled plan, forward kinematics, relative motion and signal curves."""
