"""What a program takes when it starts, by its code: variables, arguments, transports; one reader per idiom."""
