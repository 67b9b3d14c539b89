"""What a server promises: read from SOURCES, judged with places, held against what a target can send."""
