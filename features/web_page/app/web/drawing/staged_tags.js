// Letters and values of what turns: at the tips of a rotation that is shown turn by turn, and at arcs.

import { add, dot, scaled } from "../base/math.js";
import { arcText } from "./labels.js";
import { GHOST_SHARE, NO_TURN, SAME_AXIS, vectorOf, withinTurn } from "./staged_shapes.js";

export const PRIMES = ["", "\u2032", "\u2033", "\u2034"];
export const GREEK = "αβγ";
const LETTERS_APART = 18;  // nearer than so many pixels an earlier letter gives way

export function makeStagedTags(labels) {
  const letters = [0, 1, 2, 3].flatMap((stage) => [0, 1, 2].map((axis) => (
    { stage, axis, ...labels.tag(`letter ${"xyz"[axis]}`, "xyz"[axis] + PRIMES[stage]) })));
  const vector = labels.tag("letter", "v");
  const values = [0, 1, 2].map(() => labels.tag("value", ""));
  [...letters, vector, ...values].forEach(labels.hide);

  // Place letters and values of `turns`, which may be none; returns the values, which are kept off other plates.
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
    return angles.flatMap((angle, i) => placedValue(projection, from, circles[i], angle, i));
  }

  function placeLetters(projection, from, { origin, stages, now, length, last }) {
    const tipOf = (direction, reach) => projection.project(add(origin, scaled(direction, reach)));
    const letterAt = (each, tip) => {
      const along = [tip[0] - from[0], tip[1] - from[1]], far = Math.max(Math.hypot(...along), 1);
      each.root.hidden = tip[2] <= 0 || from[2] <= 0;
      labels.moveTo(each, tip, [tip[0] + (along[0] / far) * 13, tip[1] + (along[1] / far) * 13]);
    };
    const tips = letters.map(({ stage, axis }) => tipOf(stages[stage][axis], (stage === last ? 1 : GHOST_SHARE) * length));
    letters.forEach((each, k) => {
      const { stage, axis } = each, later = letters.findIndex((other, i) => other.axis === axis && other.stage > stage
        && other.stage <= last && Math.hypot(tips[i][0] - tips[k][0], tips[i][1] - tips[k][1]) < LETTERS_APART);
      const isKept = stage < last && dot(stages[stage][axis], stages[stage + 1][axis]) > SAME_AXIS;  // one text names both
      if (stage > last || later >= 0 || isKept) {
        labels.hide(each);
        return;
      }
      const same = [0, 1, 2].filter((j) => j < stage && stages.slice(j, stage).every((axes, i) => (
        dot(axes[axis], stages[j + i + 1][axis]) > SAME_AXIS)));
      each.plate.textContent = [...same, stage].map((j) => "xyz"[axis] + PRIMES[j]).join(" = ");
      letterAt(each, tips[k]);
    });
    letterAt(vector, tipOf(vectorOf(now), length));
  }

  // The value of an arc beside its middle; none of an angle that is none.
  function placedValue(projection, from, circle, angle, i) {
    const each = values[i], at = projection.project(circle.at(withinTurn(angle) / 2));
    if (Math.abs(angle) < NO_TURN || at[2] <= 0 || from[2] <= 0) {
      labels.hide(each);
      return [];
    }
    each.plate.textContent = `${GREEK[i]} ${arcText(angle)}`;
    each.plate.style.color = `var(--axis-${"xyz"[circle.axis]}-text)`;
    each.size = null;
    const size = labels.sizeOf(each), along = [at[0] - from[0], at[1] - from[1]], far = Math.max(Math.hypot(...along), 1);
    const out = along.map((part) => part / far), reach = 5 + Math.max(Math.abs(out[0]) * size[0], Math.abs(out[1]) * size[1]) / 2;
    return [{ each, at, size, center: [at[0] + out[0] * reach, at[1] + out[1] * reach] }];
  }

  return { place };
}
