"""Spreadsheets of animals: uploaded, previewed, imported and undone."""
