import json
import os
from urllib.request import Request, urlopen

request = Request(
    "{{ base_url }}/store/orders?status=placed&limit=1",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    orders = json.load(response)
print(json.dumps(orders, indent=2))
