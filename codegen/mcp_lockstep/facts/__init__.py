"""The facts that a project repeats: the table, the readers of each kind of file, the one merge."""
