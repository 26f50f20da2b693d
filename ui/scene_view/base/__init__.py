"""Base of all visuals: context, look, label layout and problem marks."""
