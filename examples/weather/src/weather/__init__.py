"""The server weather"""
