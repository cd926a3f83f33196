"""The private page on which an applicant follows an application."""
