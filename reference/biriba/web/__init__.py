"""The page to try the rules: a small server on the loopback; every answer is the interpreter's."""
