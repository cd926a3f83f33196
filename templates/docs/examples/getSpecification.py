import json
from urllib.request import urlopen

with urlopen("{{ base_url }}/openapi.json") as response:
    document = json.load(response)
print(json.dumps(document, indent=2))
