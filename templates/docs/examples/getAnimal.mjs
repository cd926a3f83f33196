const response = await fetch(
  `{{ base_url }}/animals/${process.env.PET_ID}?include=html`,
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
console.log(JSON.stringify(await response.json(), null, 2));
