import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"{{ base_url }}/animals/{os.environ['PET_ID']}?include=html",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    animal = json.load(response)
print(json.dumps(animal, indent=2))
