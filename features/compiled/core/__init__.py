"""Machine code of formulas: LLVM's assembly, its compilation, the calls on several cores, and a self-test.

The modules stand on each other in this order: ``threads``, ``llvm_text``, ``machine``, ``self_test``, ``compilation``.
"""
