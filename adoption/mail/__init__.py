"""Mail: what is written to people, kept until it is sent."""
