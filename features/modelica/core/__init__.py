"""Results of Modelica tools, Dymola and OpenModelica: variables by name, and the frames and shapes among them."""
