curl -i "{{ base_url }}/pets" \
  -H "Authorization: Bearer hw_mistyped"
