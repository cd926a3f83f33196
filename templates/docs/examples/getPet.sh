curl -i "{{ base_url }}/pets/$PET_ID" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
