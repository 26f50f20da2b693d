"""Search everything: commands, how well they match what is typed, the list, and the box in the menu bar.

From here come `Command`, `CommandPalette`, `SearchBox` and `commands_of_actions`, each out of its module.
"""
