"""Places on earth: lookup of ZIP codes and towns, distances, and the shelters near a place."""
