"""Custom domains, their DNS records and certificates."""
