"""Spreadsheet imports by staff: upload, preview, dry run, import and undo.

A job that is killed is continued by another process.
"""
