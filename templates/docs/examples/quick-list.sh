curl "{{ base_url }}/pets?limit=2" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
