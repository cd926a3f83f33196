import json
import os
from urllib.request import Request, urlopen

request = Request(
    "{{ base_url }}/changes?limit=2",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    changes = json.load(response)
print(json.dumps(changes, indent=2))
