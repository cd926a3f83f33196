"""Ways of signing in: passwords, passkeys and email addresses."""
