"""Background work: threads and worker processes, and the means to keep the window responsive.

`child_processes` starts every process, with limits of memory and time (`child_guard`) and in a folder of its own; a
test finds any other way. `death_watch` is a shell at the end of a pipe that ends all children with the program.
`worker_client` runs tasks in a process that is kept; of several requests the latest counts (`latest_task`). Plans and
expressions travel as text and data (`plan_source`). `preload` imports what the first use of a panel needs while the
window is idle.
"""
