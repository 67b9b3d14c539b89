"""Python code as it is written: what it registers and repeats, how it differs, and edits of single spans."""
