"""Emails, stored until they are sent."""
