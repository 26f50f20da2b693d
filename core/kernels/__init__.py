"""Numeric kernels on validated arrays; they check no arguments and depend on no scene.

A *formula* is a plain function on tuples of components, written as in a textbook:

    @kernel((3, 3), (3, 3), (3,), gives=(3,))
    def resolve_relative(T1, T2, v1):
        return applied_to(T2, applied_to(transpose_of(T1), v1))

`componentwise` applies a formula to arrays of any leading shape: up to four items with Python floats, more items in
blocks of 8,192 that stay in the cache. Both ways do the same operations in the same order, so batches give the bits of
single calls. Formulas neither warn nor raise. `components` has products and sums for use in formulas. `linear_algebra`
has kernels of vectors, matrices and quaternions, `axis_rotations` kernels of axis sequences, `conversions` kernels of
other forms of rotations. `code` runs formulas on symbols and translates them to Python. Features translate them to
JavaScript and machine code.
"""
