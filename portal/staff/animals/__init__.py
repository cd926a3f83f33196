"""Staff pages of animals: the list, the edit form, photos, bulk changes and exports."""
