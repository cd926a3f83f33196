"""Signing in and out, signing up, joining a shelter, password resets, and forms sent while signed out."""
