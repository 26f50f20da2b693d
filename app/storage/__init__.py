"""Storage between runs: settings, recent files, logs, start marks, and folders for them.

Settings are read once and written by a thread. `start_marks` leaves a mark of each start; a mark whose process is
gone makes the next start leave out what is remembered. `temporary_folders` locks a file in each folder of a process
and removes folders without an owner.
"""
