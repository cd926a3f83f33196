address="{{ base_url }}/pets?limit=100"
while [ -n "$address" ]; do
  curl -sS -D headers.txt "$address" \
    -H "Authorization: Bearer $HOMEWARD_KEY"
  echo
  address=$(sed -n \
    's/^[Ll]ink: <\([^>]*\)>; rel="next".*/\1/p' headers.txt)
done
