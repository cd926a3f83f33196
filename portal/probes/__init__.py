"""Addresses for programs that check the service or a host."""
