"""The inbox of applications, applicants and decisions."""
