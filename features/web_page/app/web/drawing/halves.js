// The halves of the picture: one, which is all of it, or two side by side. Each has its own texts.

import { makeLabels } from "./labels.js";

export function makeHalves(stage, choose, makeTags) {
  const corners = stage.querySelectorAll(".corner"), layers = [...stage.querySelectorAll("#leaders, #tags")];
  const halves = [halfOn(...layers)];
  let chosen = null, areNamesSeen = true;

  function halfOn(leaders, tags) {
    const labels = makeLabels(tags, leaders, corners, choose);
    return { labels, turns: makeTags?.(labels) ?? null };
  }

  // The second one is there once it has been asked for.
  function half(i) {
    if (i === halves.length) {
      const copies = layers.map((layer) => layer.cloneNode(false));
      copies.forEach((copy) => {
        copy.removeAttribute("id");
        copy.classList.add("is-second");
      });
      layers[1].after(...copies);
      halves.push(halfOn(...copies));
      halves[i].labels.mark(chosen);
      halves[i].labels.showNames(areNamesSeen);
    }
    return halves[i];
  }

  return {
    divide: (count) => stage.classList.toggle("is-split", count > 1),
    // Place the texts of a half; `turned` is what is turned there, with letters and values of its own, or null.
    place(i, time, poses, projection, turned) {
      const { labels, turns } = half(i);
      labels.place(time, poses, projection, turns?.place(projection, turned), i * projection.width);
    },
    mark(name) {
      chosen = name;
      halves.forEach(({ labels }) => labels.mark(name));
    },
    showNames(areSeen) {
      areNamesSeen = areSeen;
      halves.forEach(({ labels }) => labels.showNames(areSeen));
    },
    measureAgain: () => halves.forEach(({ labels }) => labels.measureAgain()),
  };
}
