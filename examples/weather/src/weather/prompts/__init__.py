"""The functions for the prompts of the contract, one module each."""
