"""Spreadsheets of animals: upload, preview, import and undo."""
