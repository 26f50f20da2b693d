"""Numeric kernels on arrays that are known to be good: no checks, no knowledge of scenes."""
