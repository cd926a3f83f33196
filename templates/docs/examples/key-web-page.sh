homeward key create elm-road-rescue --name "Our website" \
  --origin https://adopt.example.org
