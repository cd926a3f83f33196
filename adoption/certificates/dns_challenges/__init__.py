"""DNS-01 challenges (RFC 8555, 8.4), whose TXT records the operator's hook sets and removes."""
