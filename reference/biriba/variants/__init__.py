"""Tools for families of rule sets: which there are, how they differ, what shows it, and how to begin a new one."""
