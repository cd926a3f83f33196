"""Staff pages of a site: its settings, publishing and first steps."""
