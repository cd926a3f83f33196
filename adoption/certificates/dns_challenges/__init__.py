"""DNS-01 challenges (RFC 8555, 8.4). The operator's hook sets and removes their TXT records."""
