// Sends the time zone of the browser along with a form.
document.querySelectorAll("[data-time-zone]").forEach((input) => {
  input.value ||= new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
});
