"""Films and rows of pictures: one module for each kind of file, called by the registry in the exporting process."""
