curl "{{ base_url }}/categories" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
