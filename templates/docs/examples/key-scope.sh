homeward key create elm-road-rescue --name "Our website" \
  --scope pets:read
