"""Results of Modelica tools as scenes and tables."""
