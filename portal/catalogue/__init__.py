"""The catalogue of published animals: its filters, search and results."""
