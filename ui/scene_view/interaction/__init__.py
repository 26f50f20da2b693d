"""Mouse, touch and keys in the 3D view: camera, hover, measuring, dragging frames and points."""
