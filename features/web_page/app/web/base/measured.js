// Measured poses while something is changed by hand: each moves with the frame that it is measured in. The gap leads
// from it to its frame.

import { add, conjugate, multiply, rotate, rotationOf, scale, subtract, unitQuaternion } from "./math.js";
import { isPosed } from "./motion.js";
import { file, ORIGIN, poseOf } from "./scene.js";

/**
 * @param {Motion} motion
 * @param {number} time
 * @param {Poses} poses
 * @param {State[]} states
 * @param {Set<number>} touched
 */
export function placeMeasured(motion, time, poses, states, touched) {
  for (const { ghost, gap, of, from } of file.measured) {
    const exported = poseOf(file.nodes[ghost], ORIGIN, time), now = states[from], own = motion.ownStateAt(from, time);
    const isTouched = touched.has(of) || touched.has(from);
    if (!isTouched || !exported.isSeen || !isPosed(now) || !isPosed(own)) {
      continue;
    }
    const [a, b] = [own, now].map((state) => motion.poseOfState(state, true)), turn = multiply(b.q, conjugate(a.q));
    const q = multiply(turn, exported.q), p = add(b.p, rotate(rotationOf(turn), subtract(exported.p, a.p)));
    poses[ghost] = { ...exported, q, p, R: rotationOf(q) };
    if (gap !== null && isPosed(states[of])) {
      poses[gap] = { p, ...stretchTo(subtract(states[of].slice(9, 12), p)) };
    }
  }
}

// Return the orientation and the size that make a shape along z a vector.
/** @param {Vector} vector */
function stretchTo(vector) {
  const length = Math.hypot(...vector), [x, y, z] = length > 0 ? scale(vector, 1 / length) : [0, 0, 1];
  const q = z > -0.9999 ? unitQuaternion([-y, x, 0, 1 + z]) : [1, 0, 0, 0];
  return { q, R: rotationOf(q), size: [1, 1, length], isSeen: length > 0 };
}

// Name the items that are hidden because the page cannot compute them with the changes made by hand.
/** @param {Set<number>} touched */
export function wordsOfAway(touched) {
  const away = file.followed.filter((item) => !item.isComputed && item.rows.some((row) => touched.has(row)));
  return [...new Set(away.map(({ what }) => what))].join(", ");
}
