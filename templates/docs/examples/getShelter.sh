curl "{{ base_url }}/directory/shelters/$SHELTER_ID" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
