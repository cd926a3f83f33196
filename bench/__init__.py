"""Benchmarks of the service. README.md says what each command measures."""
