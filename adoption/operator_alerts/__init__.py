"""Alerts about problems of the installation, logged and emailed to the operator."""
