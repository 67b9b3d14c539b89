"""The release gate: what a wheel, an sdist or a bundle says, held against itself and against its project."""
