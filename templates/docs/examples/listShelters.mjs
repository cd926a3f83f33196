const response = await fetch(
  "{{ base_url }}/directory/shelters?country=US&limit=1",
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const shelters = await response.json();
console.log(JSON.stringify(shelters, null, 2));
