"""Staff pages of usage and plans."""
