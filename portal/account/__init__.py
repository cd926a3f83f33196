"""The account of a user: name, email address, password, passkeys and sign-ins."""
