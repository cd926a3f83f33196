import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"{{ base_url }}/directory/animals/{os.environ['PET_ID']}?fields=name,photos&include=shelter",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    animal = json.load(response)
print(json.dumps(animal, indent=2))
