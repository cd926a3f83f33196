"""Shelters' own domains: claims, DNS checks, verification, and the site of each domain."""
