"""The certificate of the platform's own host."""
