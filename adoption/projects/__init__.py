"""Projects: the adoption sites of accounts, and their publication."""
