// The printed page: the picture on light ground, as wide as the paper, and the read-outs under it, without the
// controls.

import { canvas, draw, halves, root, showTheme, themeThatIs } from "./main.js";

const PRINTED_RATIO = 2;  // pixels of the picture to one of the page

const printed = Object.assign(new Image(), { id: "printed", alt: "" });
let themeBefore = "";
window.addEventListener("beforeprint", () => {
  themeBefore = root.dataset.theme ?? "";
  root.classList.add("is-printed");
  showTheme(themeThatIs(false));
  halves.measureAgain();
  draw(PRINTED_RATIO);
  printed.src = canvas.toDataURL();  // in the same task: the buffer is cleared after it
  canvas.after(printed);
});
window.addEventListener("afterprint", () => {
  root.classList.remove("is-printed");
  printed.remove();
  showTheme(themeBefore);
  halves.measureAgain();
});
