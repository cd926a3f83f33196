"""Accounts: who has which plan, who belongs to them, and the keys that programs call with."""
