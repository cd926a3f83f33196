// Puts a shelter's animals where this tag stands in a page of its own:
// <script async src="https://…/embed.js" data-shelter="elm-road-rescue" data-species="cat" data-limit="8"></script>
(() => {
  const tag = document.currentScript;
  if (!tag?.dataset.shelter) return;
  const { shelter, species, limit, theme, title } = tag.dataset;
  const address = new URL(`/embed/${encodeURIComponent(shelter)}`, tag.src);
  if (species) address.searchParams.set("species", species);
  if (limit) address.searchParams.set("limit", limit);
  // A page that has no dark theme is light to every reader, and so is what stands in it.
  const declared = document.querySelector("meta[name=color-scheme]")?.content;
  const schemes = getComputedStyle(tag.parentElement).colorScheme.replace("normal", declared || "light");
  if (theme || !schemes.includes("dark")) address.searchParams.set("theme", theme || "light");

  const frame = document.createElement("iframe");
  frame.src = address;
  frame.title = title || "Animals looking for a home";
  frame.loading = "lazy";
  Object.assign(frame.style, { display: "block", width: "100%", height: "40rem", border: "0" });
  tag.after(frame);

  // The grid tells how high it is. Only this frame is listened to, and only while it shows our page.
  addEventListener("message", ({ origin, source, data }) => {
    const height = data?.homewardHeight;
    if (origin === address.origin && source === frame.contentWindow && height > 0 && height < 50_000) {
      frame.style.height = `${Math.ceil(height)}px`;
    }
  });
})();
