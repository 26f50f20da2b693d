"""Machine code of frequently used formulas, with bit-identical results; needs llvmlite (the extra `speed`).

`llvm_text` prints a formula as the inner loop of a numpy ufunc, `machine` compiles it with llvmlite, `compilation`
does so in a thread once a formula has processed two million items, and keeps the code on disk. Nothing is contracted,
and sines are numpy's own, so the bits are those of Python. Large batches use all cores (`threads`). A self-test
compares formulas with numpy when the code is loaded; a difference leaves all formulas in numpy.
``FRAMESCOPE_COMPILED=0`` never compiles, ``=1`` at the first call.
"""
