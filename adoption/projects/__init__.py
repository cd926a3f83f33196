"""Projects: an account's adoption sites, and each publishing of them."""
