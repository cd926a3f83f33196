const wanted = new URLSearchParams({
  species: "dog,cat",
  good_with_children: "yes",
  limit: 1,
  fields: "name,species,ageGroup,goodWith,shelter,url",
});
const response = await fetch(
  `{{ base_url }}/directory/animals?${wanted}`,
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const animals = await response.json();
console.log(JSON.stringify(animals, null, 2));
