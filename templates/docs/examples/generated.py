import os

from homeward_client import AuthenticatedClient
from homeward_client.api.animals import create_pet, list_pets
from homeward_client.models import Error, NewPet

client = AuthenticatedClient(base_url="{{ base_url }}", token=os.environ["HOMEWARD_KEY"])
animal = create_pet.sync(client=client, body=NewPet(name="Ruby", category_id=2))
if isinstance(animal, Error):
    raise SystemExit(f"{animal.code}: {animal.message}")
print(animal.id, animal.name)
for one in list_pets.sync(client=client, limit=2):
    print(one.id, one.name)
