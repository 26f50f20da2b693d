"""Functions of time: expressions, keyframes and splines, each with its exact derivatives."""
