"""Packed files of US ZIP codes and of towns in the USA and Canada (LICENCES.md)."""
