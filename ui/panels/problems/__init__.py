"""The list of problems, with the edits that mend them."""
