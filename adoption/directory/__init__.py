"""The directory of all published shelters, as programs read it."""
