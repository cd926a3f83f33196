"""Domain logic of pet adoption for pages, API and commands. It does not depend on requests or templates."""
