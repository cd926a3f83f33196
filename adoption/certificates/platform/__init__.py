"""The certificate of the platform's own host, which no domain of a shelter has."""
