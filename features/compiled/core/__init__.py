"""Machine code of formulas: LLVM's assembly, its compilation, the calls on several cores, and a self-test.

Imports go in this order, later modules using earlier ones: ``threads``, ``llvm_text``, ``machine``, ``self_test``,
``compilation``.
"""
