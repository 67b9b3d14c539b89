"""What clients, bundles, registry lists and images need, made of a project or its server.json."""
