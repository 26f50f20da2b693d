"""Panel of the alignment, and its picture in the scene."""
