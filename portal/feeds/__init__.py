"""The catalogue for feed readers, search engines and other websites."""
