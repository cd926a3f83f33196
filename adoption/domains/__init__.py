"""A shelter's own addresses: who may have one, what its DNS says, and which site it shows."""
