const response = await fetch(
  "{{ base_url }}/changes?limit=2",
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const changes = await response.json();
console.log(JSON.stringify(changes, null, 2));
