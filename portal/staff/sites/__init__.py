"""A site's settings, publishing and first steps."""
