"""When Python looks for cycles in what a process has in memory."""

import gc


def collect_garbage_rarely() -> None:
    """A batch makes thousands of objects that live as long as it does, models and memory live on: looking for cycles among them took a
    quarter of triage's time and a tenth of a scorer's."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
