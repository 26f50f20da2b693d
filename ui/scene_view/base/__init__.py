"""What every visual is built on: its context, its look, label layout and marks."""
