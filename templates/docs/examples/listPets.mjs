const response = await fetch(
  "{{ base_url }}/pets?status=available&limit=2",
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const animals = await response.json();
console.log(JSON.stringify(animals, null, 2));
