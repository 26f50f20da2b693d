"""Machine code for formulas with much computation, with the same bits; needs llvmlite (the extra `speed`)."""
