"""Search everything: commands, ranking, the result list, and the search box in the menu bar.

Other packages use `Command`, `CommandPalette`, `SearchBox` and `commands_of_actions`, each from its module.
"""
