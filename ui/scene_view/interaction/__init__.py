"""Mouse, touch and keyboard in the 3D view: camera, hover, measuring, dragging of frames and points."""
