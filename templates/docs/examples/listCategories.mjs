const response = await fetch(
  "{{ base_url }}/categories",
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const categories = await response.json();
console.log(JSON.stringify(categories, null, 2));
