"""``python -m biriba`` is the command `biriba`."""

from biriba.cli import main

main()
