"""The functions for the tools of the contract, one module each."""
