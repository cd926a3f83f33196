"""Signing in and out, signing up, joining a shelter, and password resets.

Forms that were sent while signed out are kept here too.
"""
