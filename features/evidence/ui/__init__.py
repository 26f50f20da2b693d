"""Panel of the evidence: sentences with their mends, the table of who agrees with whom, and differences over time."""
