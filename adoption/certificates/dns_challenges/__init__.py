"""DNS-01 challenges (RFC 8555, 8.4): TXT records that a hook of the operator sets and removes."""
