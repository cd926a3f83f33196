"""Spreadsheet imports by staff: upload, preview, dry run, import and undo.

If a job is killed, another process continues the import.
"""
