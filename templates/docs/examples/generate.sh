openapi-python-client generate --path openapi.json --meta none --output-path homeward_client
