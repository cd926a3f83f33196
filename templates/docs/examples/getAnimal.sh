curl "{{ base_url }}/animals/$PET_ID?include=html" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
