import createClient from "openapi-fetch";
import type { paths } from "./homeward";

const client = createClient<paths>({
  baseUrl: "{{ base_url }}",
  headers: { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` },
});

const added = await client.POST("/pets", { body: { name: "Ruby", categoryId: 2 } });
if (added.error) throw new Error(`${added.error.code}: ${added.error.message}`);
console.log(added.data.id, added.data.name);

const page = await client.GET("/pets", { params: { query: { limit: 2 } } });
for (const one of page.data ?? []) console.log(one.id, one.name);
