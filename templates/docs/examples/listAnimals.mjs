const wanted = new URLSearchParams({
  species: "dog,cat",
  good_with_children: "yes",
  limit: 1,
  fields: "name,species,ageGroup,goodWith,fee,url",
});
const response = await fetch(
  `{{ base_url }}/animals?${wanted}`,
  { headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` } },
);
const animals = await response.json();
console.log(JSON.stringify(animals, null, 2));
