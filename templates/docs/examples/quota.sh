curl -sS -D - -o animals.json \
  "{{ base_url }}/pets" \
  -H "Authorization: Bearer $HOMEWARD_KEY"
