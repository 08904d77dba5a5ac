"""`python -m worker.cli`: the command line without its script."""

from worker.cli import main

main()
