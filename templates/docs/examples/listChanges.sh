curl "{{ base_url }}/changes?limit=2" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
