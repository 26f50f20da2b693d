"""The picture of a camera in a corner of the scene."""
