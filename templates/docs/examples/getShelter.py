import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"{{ base_url }}/directory/shelters/{os.environ['SHELTER_ID']}",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    shelter = json.load(response)
print(json.dumps(shelter, indent=2))
