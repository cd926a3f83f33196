"""Benchmarks of the service. README.md describes the measurements of each command."""
