// Letters at the tips of a rotation that is shown turn by turn, and values at its arcs.

import { add, dot, scale } from "../base/math.js";
import { arcText } from "./labels.js";
import { GHOST_SHARE, NO_TURN, SAME_AXIS, vectorOf, withinTurn } from "./staged_shapes.js";

export const PRIMES = ["", "\u2032", "\u2033", "\u2034"];
export const GREEK = "αβγ";
const LETTERS_APART = 18;  // pixels to a later letter below which a letter is hidden

/** @param {Labels} labels */
export function makeStagedTags(labels) {
  const letters = [0, 1, 2, 3].flatMap((stage) => [0, 1, 2].map((axis) => (
    { stage, axis, ...labels.tag(`letter ${"xyz"[axis]}`, "xyz"[axis] + PRIMES[stage]) })));
  const vector = labels.tag("letter", "v");
  const values = [0, 1, 2].map(() => labels.tag("value", ""));
  [...letters, vector, ...values].forEach(labels.hide);

  // Place letters and values of the turns, if there are any. Return the values: other plates are kept off them.
  /** @param {Projection} projection @param {DrawnTurns | null} turns @returns {PlacedTag[]} */
  function place(projection, turns) {
    if (!turns?.isStaged) {
      [...letters, vector].forEach(labels.hide);
    }
    if (turns === null) {
      values.forEach(labels.hide);
      return [];
    }
    const { origin, angles, circles } = turns, from = projection.project(origin);
    if (turns.isStaged) {
      placeLetters(projection, from, turns);
    }
    return angles.flatMap((angle, i) => placeValue(projection, from, circles[i], angle, i));
  }

  /** @param {Projection} projection @param {Pixels} from @param {DrawnTurns} turns */
  function placeLetters(projection, from, { origin, stages, now, length, last }) {
    /** @param {Vector} direction @param {number} reach */
    const tipOf = (direction, reach) => projection.project(add(origin, scale(direction, reach)));
    /** @param {Tag} letter @param {Pixels} tip */
    const letterAt = (letter, tip) => {
      const along = [tip[0] - from[0], tip[1] - from[1]], far = Math.max(Math.hypot(...along), 1);
      letter.root.hidden = tip[2] <= 0 || from[2] <= 0;
      labels.moveTo(letter, tip, [tip[0] + (along[0] / far) * 13, tip[1] + (along[1] / far) * 13]);
    };
    const tips = letters.map(({ stage, axis }) => (
      tipOf(stages[stage][axis], (stage === last ? 1 : GHOST_SHARE) * length)));
    letters.forEach((letter, k) => {
      const { stage, axis } = letter, later = letters.findIndex((other, i) => other.axis === axis && other.stage > stage
        && other.stage <= last && Math.hypot(tips[i][0] - tips[k][0], tips[i][1] - tips[k][1]) < LETTERS_APART);
      // An axis that the next turn keeps has one text, which names both stages.
      const isKept = stage < last && dot(stages[stage][axis], stages[stage + 1][axis]) > SAME_AXIS;
      if (stage > last || later >= 0 || isKept) {
        labels.hide(letter);
        return;
      }
      const same = [0, 1, 2].filter((j) => j < stage && stages.slice(j, stage).every((axes, i) => (
        dot(axes[axis], stages[j + i + 1][axis]) > SAME_AXIS)));
      letter.plate.textContent = [...same, stage].map((j) => "xyz"[axis] + PRIMES[j]).join(" = ");
      letterAt(letter, tips[k]);
    });
    letterAt(vector, tipOf(vectorOf(now), length));
  }

  // Place the value of an arc beside its middle; hide that of an angle that is none.
  /**
   * @param {Projection} projection
   * @param {Pixels} from
   * @param {Circle} circle
   * @param {number} angle
   * @param {number} i
   * @returns {PlacedTag[]}
   */
  function placeValue(projection, from, circle, angle, i) {
    const label = values[i], at = projection.project(circle.at(withinTurn(angle) / 2));
    if (Math.abs(angle) < NO_TURN || at[2] <= 0 || from[2] <= 0) {
      labels.hide(label);
      return [];
    }
    label.plate.textContent = `${GREEK[i]} ${arcText(angle)}`;
    label.plate.style.color = `var(--axis-${"xyz"[circle.axis]}-text)`;
    label.size = null;
    const size = labels.sizeOf(label), along = [at[0] - from[0], at[1] - from[1]];
    const far = Math.max(Math.hypot(...along), 1), out = along.map((part) => part / far);
    const reach = 5 + Math.max(Math.abs(out[0]) * size[0], Math.abs(out[1]) * size[1]) / 2;
    return [{ label, at, size, center: [at[0] + out[0] * reach, at[1] + out[1] * reach] }];
  }

  return { place };
}
