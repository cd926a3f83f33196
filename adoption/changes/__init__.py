"""The change feed: the newest change of each animal, for programs that keep a copy."""
