import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"{{ base_url }}/pets/{os.environ['PET_ID']}",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    print(response.status, response.headers["Sunset"])
    print(json.dumps(json.load(response)))
