"""Measures how fast the service is; README.md tells what each command shows."""
