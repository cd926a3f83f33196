import json
import os
from urllib.request import Request, urlopen

request = Request(
    "{{ base_url }}/pets?status=available&limit=2",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    animals = json.load(response)
print(json.dumps(animals, indent=2))
