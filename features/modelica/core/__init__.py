"""Results of Modelica tools, Dymola and OpenModelica: variables by name, the frames and the shapes among them."""
