"""The web server: granian's settings, and the WSGI layer between granian and the application.

It knows nothing about animals, accounts or pages.
"""
