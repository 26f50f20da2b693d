// The texts over the halves of the picture: one half, which is all of it, or two side by side.

import { makeLabels } from "./labels.js";

/** @param {HTMLElement} stage @param {(name: string) => void} choose @param {MakeTags | null} makeTags */
export function makeHalves(stage, choose, makeTags) {
  /** @type {NodeListOf<HTMLElement>} */
  const corners = stage.querySelectorAll(".corner");
  const [leaders, tags] = [...stage.querySelectorAll("#leaders, #tags")];
  const halves = [halfOn(leaders, tags)];
  let chosen = "", areNamesSeen = true;

  /** @param {Element} leaders @param {Element} tags */
  function halfOn(leaders, tags) {
    const labels = makeLabels(tags, leaders, corners, choose);
    return { labels, turns: makeTags?.(labels) ?? null };
  }

  // Return a half; the second one is made when it is first asked for.
  /** @param {number} i */
  function half(i) {
    if (i === halves.length) {
      const copies = [leaders, tags].map((layer) => {
        const copy = /** @type {Element} */ (layer.cloneNode(false));
        copy.removeAttribute("id");
        copy.classList.add("is-second");
        return copy;
      });
      tags.after(...copies);
      halves.push(halfOn(copies[0], copies[1]));
      halves[i].labels.mark(chosen);
      halves[i].labels.showNames(areNamesSeen);
    }
    return halves[i];
  }

  return {
    /** @param {number} count */
    divide: (count) => stage.classList.toggle("is-split", count > 1),
    // Place the texts of a half; `turned` has the turns that are drawn there, or null.
    /**
     * @param {number} i
     * @param {number} time
     * @param {Poses} poses
     * @param {Projection} projection
     * @param {DrawnTurns | null} turned
     */
    place(i, time, poses, projection, turned) {
      const { labels, turns } = half(i);
      labels.place(time, poses, projection, turns?.place(projection, turned), i * projection.width);
    },
    /** @param {string} name */
    mark(name) {
      chosen = name;
      halves.forEach(({ labels }) => labels.mark(name));
    },
    /** @param {boolean} areSeen */
    showNames(areSeen) {
      areNamesSeen = areSeen;
      halves.forEach(({ labels }) => labels.showNames(areSeen));
    },
    measureAgain: () => halves.forEach(({ labels }) => labels.measureAgain()),
  };
}
