"""Comparison of contracts and schemas: what breaks whom."""
