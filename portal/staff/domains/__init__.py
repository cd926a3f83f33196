"""Staff pages of custom domains, with their DNS records and certificates."""
