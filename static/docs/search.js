/* Searches the reference. Without this file the field stays hidden, and the browser's own search finds the words. */
const search = document.querySelector("[data-page-search]");
const field = search.querySelector("input");
const results = search.querySelector("[data-results]");
const announcement = document.getElementById("announcer");
const MOST = 8;
const AROUND = 40;

// One entry for each heading, with the text up to the next heading.
const entries = [];
for (const element of document.querySelectorAll("main :is(h2, h3, p, li, th, td, dt, dd, pre)")) {
  if (element.matches("h2, h3")) {
    const id = element.matches("h2") ? element.closest("section").id : element.id;
    entries.push({ id, title: element.firstChild.textContent, text: "" });
  } else if (entries.length) {
    entries.at(-1).text += ` ${element.textContent.replace(/\s+/g, " ").trim()}`;
  }
}

// Titles come first, then the texts in which the words make up the most.
function rank(entry, words) {
  const title = entry.title.toLowerCase();
  const text = `${title} ${entry.text.toLowerCase()}`;
  if (!words.every((word) => text.includes(word))) return 0;
  if (words.every((word) => title.includes(word))) return 1;
  const found = words.reduce((sum, word) => sum + text.split(word).length - 1, 0);
  return found / (text.length + 500);
}

function snippet(entry, word) {
  const at = entry.text.toLowerCase().indexOf(word);
  if (at < 0) return entry.text.trim().slice(0, 2 * AROUND);
  const start = Math.max(0, entry.text.lastIndexOf(" ", at - AROUND));
  const end = entry.text.indexOf(" ", at + word.length + AROUND);
  const cut = entry.text.slice(start, end < 0 ? undefined : end).trim();
  return `${start ? "… " : ""}${cut}${end < 0 ? "" : " …"}`;
}

function item(entry, word) {
  const link = document.createElement("a");
  link.href = `#${entry.id}`;
  const title = document.createElement("strong");
  title.textContent = entry.title;
  const text = document.createElement("span");
  text.textContent = snippet(entry, word);
  link.append(title, text);
  const row = document.createElement("li");
  row.append(link);
  return row;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) {
    results.replaceChildren();
    announcement.textContent = "";
    return;
  }
  const ranked = entries.map((entry) => [rank(entry, words), entry]).filter(([points]) => points);
  const found = ranked.sort(([one], [other]) => other - one).slice(0, MOST);
  results.replaceChildren(...found.map(([, entry]) => item(entry, words[0])));
  announcement.textContent = found.length ? `${found.length} ${found.length === 1 ? "result" : "results"}` : "No results";
  if (!found.length) {
    const none = document.createElement("li");
    none.textContent = "No results. Try another word.";
    results.append(none);
  }
}

field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && field.value) {
    event.preventDefault(); // and do not close the contents around it
    field.value = "";
    show();
  } else if (event.key === "Enter") {
    results.querySelector("a")?.click();
  }
});
search.hidden = false;
