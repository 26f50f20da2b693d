"""Films and numbered pictures: one module per file format, which the registry calls in the exporting process."""
