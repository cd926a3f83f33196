curl "{{ base_url }}/pets?status=available&limit=2" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
