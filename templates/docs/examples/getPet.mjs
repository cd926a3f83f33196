const response = await fetch(
  `{{ base_url }}/pets/${process.env.PET_ID}`,
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
console.log(response.status, response.headers.get("Sunset"));
console.log(JSON.stringify(await response.json()));
