const response = await fetch("{{ base_url }}/openapi.json");
const document = await response.json();
console.log(JSON.stringify(document, null, 2));
