import json
import os
from urllib.request import Request, urlopen

request = Request(
    "{{ base_url }}/directory/shelters?country=US&limit=1",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    shelters = json.load(response)
print(json.dumps(shelters, indent=2))
