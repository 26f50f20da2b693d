"""Compilation of recordings in files beside the scene: columns, vectors, joints and sensors."""
