"""An existing project taken into care: what is known of it, what to write for it, and the plan of that."""
