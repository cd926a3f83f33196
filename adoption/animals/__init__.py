"""Animals: the public catalogue, the shelter's private records, photos and search."""
