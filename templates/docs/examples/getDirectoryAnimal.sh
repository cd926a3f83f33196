curl "{{ base_url }}/directory/animals/$PET_ID?fields=name,photos&include=shelter" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
