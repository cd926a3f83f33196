"""Accounts of shelters, with plans, members, invitations, sessions and API keys."""
