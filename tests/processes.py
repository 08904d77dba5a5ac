"""Whether processes that tests have started, or the product has, still run."""

import os


def is_alive(pid: int) -> bool:
    """True while a process of that number exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
