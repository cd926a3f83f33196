// Writes the times of a public page in the reader's zone, in the language of the page and the words of portal/dates.py.
// Without this file they stay in the zone that the server chose.
(() => {
  const DAY = 86_400_000;
  const { lang } = document.documentElement;
  const locale = lang === "en" ? "en-GB" : lang;
  const format = (options) => (when) => new Intl.DateTimeFormat(locale, options).format(when);
  const relative = (days) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  const clock = format({ hour: "2-digit", minute: "2-digit" });
  const inFull = format({ dateStyle: "long", timeStyle: "short" });
  const zone = (when) =>
    new Intl.DateTimeFormat(locale, { timeZoneName: "short" })
      .formatToParts(when)
      .find((part) => part.type === "timeZoneName").value;

  // Days are counted by the calendar: a day with a change of the clocks has 23 or 25 hours.
  const daysBefore = (when, now) => {
    const [then, today] = [when, now].map((at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()));
    return (today - then) / DAY;
  };
  const day = (when, now) => {
    const year = when.getFullYear() === now.getFullYear() ? undefined : "numeric";
    return format({ day: "numeric", month: "long", year })(when).replaceAll(" ", "\u00a0");
  };

  const shapes = {
    day,
    moment: (when, now) => {
      const days = daysBefore(when, now);
      return `${Math.abs(days) <= 1 ? relative(-days) : day(when, now)}, ${clock(when)}`;
    },
    full: (when) => `${inFull(when).replace(" at ", ", ")} ${zone(when)}`,
    ago: (when, now) => {
      if (now - when < DAY) return null; // hours ago are the same everywhere
      const days = Math.max(1, daysBefore(when, now));
      if (days <= 14) return relative(-days);
      return lang === "en" ? `on ${day(when, now)}` : day(when, now);
    },
  };

  const write = (element) => {
    const when = new Date(element.dateTime);
    const words = shapes[element.dataset.shape](when, new Date());
    if (words) {
      const capital = /^\p{Lu}/u.test(element.textContent);
      element.textContent = capital ? words[0].toUpperCase() + words.slice(1) : words;
    }
    element.title = shapes.full(when);
  };
  const writeAll = () => document.querySelectorAll("time[data-shape]").forEach(write);
  document.addEventListener("htmx:afterSettle", writeAll);
  writeAll();
})();
