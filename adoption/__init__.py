"""The rules of pet adoption: what both doors and the commands call. Knows no request and no template."""
