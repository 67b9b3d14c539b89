"""The release gate: what a wheel or an sdist says, held against itself and against the project it is built from."""
