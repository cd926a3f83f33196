"""Certificates of shelters' own domains: ordered, kept, seen to be served, and renewed."""
