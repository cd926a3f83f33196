"""An animal's page with its application form, cards, photos and posters."""
