import json
import os
from urllib.request import Request, urlopen

request = Request(
    "{{ base_url }}/categories",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    categories = json.load(response)
print(json.dumps(categories, indent=2))
