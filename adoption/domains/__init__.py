"""Shelters' own domains: claims, DNS checks, verification, and the site that each shows."""
