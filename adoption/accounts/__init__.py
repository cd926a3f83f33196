"""Accounts: their plans, members, invitations, sessions and API keys."""
