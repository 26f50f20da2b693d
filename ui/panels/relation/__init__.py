"""Relations of two frames: the read-outs, and the panel of any two frames resolved in a third."""
