"""Numeric kernels on validated arrays: they check no arguments and know nothing of scenes.

A *formula* is a plain function on tuples of components, so that it reads as in the book:

    @kernel((3, 3), (3, 3), (3,), gives=(3,))
    def resolve_relative(T1, T2, v1):
        return applied_to(T2, applied_to(transpose_of(T1), v1))

`componentwise` applies it to arrays of any leading shape: up to four items with Python floats, more in blocks of
8,192 that stay in the cache. Both do the same operations in the same order, so batches give the bits of single calls.
Formulas neither warn nor raise. `components` has the vocabulary, `linear_algebra` vectors, matrices and quaternions,
`axis_rotations` axes and sequences, `conversions` other forms. `code` runs formulas on symbols and prints them as
Python; features print them as JavaScript and machine code.
"""
