curl -sS -o openapi.json "{{ base_url }}/openapi.json"
