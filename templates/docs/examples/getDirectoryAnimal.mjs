const response = await fetch(
  `{{ base_url }}/directory/animals/${process.env.PET_ID}?fields=name,photos&include=shelter`,
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
console.log(JSON.stringify(await response.json(), null, 2));
