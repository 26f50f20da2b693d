"""Controllers, task and command of the convention detective."""
