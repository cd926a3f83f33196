"""Staff pages of applications: the inbox, one application, decisions, and applicants' data."""
