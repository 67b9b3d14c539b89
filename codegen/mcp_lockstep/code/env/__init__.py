"""Environment variables in code: one reader per idiom, over one walk of each module."""
