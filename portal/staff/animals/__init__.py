"""The staff's list of animals, and the pages that add and change them."""
