// A photo that fails to load shows the drawing of animals without one, and what would be seen. Without this file
// the browser shows the photo's text alone.
(() => {
  const drawing = document.currentScript.dataset.drawing;
  const replace = (photo) => {
    const picture = photo.closest?.(".picture");
    if (!picture || picture.classList.contains("is-missing")) return;
    picture.classList.add("is-missing");
    const image = Object.assign(document.createElement("img"), { src: drawing, alt: "", width: 400, height: 500 });
    picture.replaceChildren(image, Object.assign(document.createElement("span"), { textContent: photo.alt }));
  };
  document.addEventListener("error", (event) => event.target.matches?.(".picture img") && replace(event.target), true);
  document.querySelectorAll(".picture > picture > img").forEach((photo) => {
    if (photo.complete && photo.currentSrc && !photo.naturalWidth) replace(photo);
  });
})();
