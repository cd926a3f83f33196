import json
import os
import random
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

KEY = {"Authorization": f"Bearer {os.environ['HOMEWARD_KEY']}"}
LONGEST_WAIT = 120


def get(address, tries=6):
    for attempt in range(tries):
        wait = 0
        try:
            request = Request(address, headers=KEY)
            with urlopen(request, timeout=30) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code not in (429, 500, 502, 503):
                raise
            failure, wait = error, int(error.headers.get("Retry-After", 0))
        except OSError as error:  # refused, reset or timed out
            failure = error
        if wait > LONGEST_WAIT or attempt == tries - 1:
            raise failure  # such as the day's quota: come back later
        # Never sooner than Retry-After, longer each time, and not
        # at the same moment as everybody else.
        time.sleep(max(wait, 2**attempt) + random.random())


animals = get("{{ base_url }}/pets?limit=100")
print(len(animals), "animals")
