"""Domain logic of pet adoption, called by pages, API and commands. It knows no request and no template."""
