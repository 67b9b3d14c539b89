"""The functions for the resources of the contract, one module each."""
