curl "{{ base_url }}/pets" \
  -H "Authorization: Bearer $HOMEWARD_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: intake-2026-0117" \
  -d '{"name": "Truffle", "categoryId": 7}'
