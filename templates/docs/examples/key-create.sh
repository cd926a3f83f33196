homeward key create elm-road-rescue \
  --name "Our website"
