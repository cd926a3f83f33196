"""The host, theme and introduction of a shelter's site."""
