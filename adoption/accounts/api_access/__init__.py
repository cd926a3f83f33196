"""API keys, their callers, and API usage."""
