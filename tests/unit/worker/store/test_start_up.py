"""Most commands open the store: it must not load what only figures need."""

import subprocess
import sys


def test_the_store_loads_no_numerical_library() -> None:
    script = "import sys, worker.store; print(sorted({'numpy', 'scipy', 'sklearn', 'torch'} & sys.modules.keys()))"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60).stdout

    assert loaded.strip() == "[]"
