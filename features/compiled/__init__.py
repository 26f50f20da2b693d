"""Machine code in place of formulas that have computed much, with the same bits; needs llvmlite (the extra `speed`)."""
