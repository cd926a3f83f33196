const response = await fetch(
  `{{ base_url }}/directory/shelters/${process.env.SHELTER_ID}`,
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const shelter = await response.json();
console.log(JSON.stringify(shelter, null, 2));
