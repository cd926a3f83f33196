"""Request quotas, bans and throttles, and the storages that count them."""
