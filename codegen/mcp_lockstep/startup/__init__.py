"""What a server is told when it starts, environment variables and arguments: in its code and in server.json."""
