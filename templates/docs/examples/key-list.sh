homeward key list elm-road-rescue --json
