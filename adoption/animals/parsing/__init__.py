"""Parsers of what people write in forms and spreadsheets: ages, dates, breeds, fees and others."""
