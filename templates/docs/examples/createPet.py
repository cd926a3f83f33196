import json
import os
from urllib.request import Request, urlopen

animal = {"name": "Domino", "categoryId": 2, "status": "pending"}
request = Request(
    "{{ base_url }}/pets",
    data=json.dumps(animal).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    print(response.status, response.headers["Location"])
    print(json.dumps(json.load(response)))
