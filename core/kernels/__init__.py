"""Numeric kernels on validated arrays: they check no arguments and know nothing of scenes."""
