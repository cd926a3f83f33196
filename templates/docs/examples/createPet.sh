curl -i "{{ base_url }}/pets" \
  -H "Authorization: Bearer $HOMEWARD_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "Domino",
    "categoryId": 2,
    "status": "pending"
  }'
