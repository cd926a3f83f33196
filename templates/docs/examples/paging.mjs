const headers = { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` };
let address = "{{ base_url }}/pets?limit=100";
while (address) {
  const response = await fetch(address, { headers });
  for (const animal of await response.json()) {
    console.log(animal.id, animal.name);
  }
  const link = response.headers.get("Link") ?? "";
  address = link.match(/<([^>]+)>; rel="next"/)?.[1];
}
