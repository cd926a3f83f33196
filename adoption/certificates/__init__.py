"""Certificates of shelters' own domains: orders, storage, checks at the edge, and renewals."""
