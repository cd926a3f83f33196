"""The web server: granian's settings, and what is between granian and the application.

It knows nothing about animals, accounts or pages.
"""
