curl "{{ base_url }}/directory/shelters?country=US&limit=1" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
