curl "{{ base_url }}/pets" \
  -H "Authorization: Bearer $HOMEWARD_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "name": " ",
    "categoryId": "1",
    "statsu": "sold"
  }'
