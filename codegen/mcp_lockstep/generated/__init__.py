"""The generated files of a project, told without making them: which there must be, of what, and whether they are."""
