curl "{{ base_url }}/pets" \
  -H "Authorization: Bearer $HOMEWARD_KEY" \
  -H "Content-Type: application/json" \
  -d '{"name": "Biscuit", "categoryId": 1}'
