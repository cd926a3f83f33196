"""Orders: adoption applications for animals."""
