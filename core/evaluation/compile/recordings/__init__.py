"""Compilation of what is recorded in files beside the scene: columns, vectors, joints and sensors."""
