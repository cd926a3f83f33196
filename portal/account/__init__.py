"""A person's own account: name, email address, password, passkeys and sign-ins."""
