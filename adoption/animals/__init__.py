"""Animals: what adopters see of them, what only the shelter knows, and how they come in and go out."""
