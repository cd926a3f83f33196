"""Spreadsheets that staff upload: looked at, tried, and taken in by a job that survives its process."""
