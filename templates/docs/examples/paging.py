import json
import os
import re
from urllib.request import Request, urlopen

key = {"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"}
address = "{{ base_url }}/pets?limit=100"
while address:
    with urlopen(Request(address, headers=key)) as response:
        for animal in json.load(response):
            print(animal["id"], animal["name"])
        link = response.headers.get("Link", "")
    following = re.search('<([^>]+)>; rel="next"', link)
    address = following and following[1]
