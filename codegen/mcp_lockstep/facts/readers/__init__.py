"""What each kind of file says about the facts: one module per kind, each a function from a document to readings."""
