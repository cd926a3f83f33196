for attempt in first second; do
  curl -sS "{{ base_url }}/pets?limit=100" \
    -H "Authorization: Bearer $HOMEWARD_KEY" \
    --etag-compare animals.etag --etag-save animals.etag \
    -o animals.json -w "$attempt: %{http_code}\n"
done
