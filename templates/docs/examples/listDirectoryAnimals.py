import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

wanted = {
    "species": "dog,cat",
    "good_with_children": "yes",
    "limit": 1,
    "fields": "name,species,ageGroup,goodWith,shelter,url",
}
request = Request(
    f"{{ base_url }}/directory/animals?{urlencode(wanted)}",
    headers={"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"},
)
with urlopen(request) as response:
    animals = json.load(response)
print(json.dumps(animals, indent=2))
