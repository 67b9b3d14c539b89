"""What a client runs: the command it derives from each package, whether that can start, and starting it."""
