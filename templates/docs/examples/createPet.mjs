const response = await fetch("{{ base_url }}/pets", {
  method: "POST",
  headers: {
    Authorization: `Bearer ${process.env.HOMEWARD_KEY}`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ name: "Domino", categoryId: 2, status: "pending" }),
});
console.log(response.status, response.headers.get("Location"));
console.log(JSON.stringify(await response.json()));
