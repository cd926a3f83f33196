"""Parsers for texts in forms and spreadsheets, such as ages, dates, breeds and fees."""
