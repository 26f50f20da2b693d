"""Topics of commands, which say what a robot is asked to do instead of what it does."""

COMMAND_WORDS = ("cmd", "command", "desired", "target", "goal", "reference", "setpoint")
"""Words in the names of topics of commands."""


def is_command(topic: str) -> bool:
    """Return whether a topic has commands by its name, which are ahead of the motion and never measured.

    >>> is_command("/mavros/setpoint_position/local"), is_command("/mavros/local_position/pose")
    (True, False)
    """
    return any(word in topic.casefold() for word in COMMAND_WORDS)
