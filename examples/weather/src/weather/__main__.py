"""`python -m weather` starts the server."""

from weather.server import main

if __name__ == "__main__":
    main()
