"""The audit log: who did what in an account."""
