const response = await fetch(
  "{{ base_url }}/store/orders?status=placed&limit=1",
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const orders = await response.json();
console.log(JSON.stringify(orders, null, 2));
