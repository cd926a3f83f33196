curl "{{ base_url }}/openapi.json"
