"""Relations of two frames: the read-outs, and the panel of any two frames in any third."""
