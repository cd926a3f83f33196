curl "{{ base_url }}/store/orders?status=placed&limit=1" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
