// Measured poses while a hand has changed something: each goes with the frame that it is measured in, and the gap goes from
// it to where its frame is.

import { add, applied, conjugate, multiplied, rotationOf, scaled, subtract, unitQuaternion } from "./math.js";
import { motion } from "./motion.js";
import { file, ORIGIN, poseOf } from "./scene.js";

export function placeMeasured(time, poses) {
  for (const { ghost, gap, of, from } of file.measured) {
    const shown = poseOf(file.nodes[ghost], ORIGIN, time), now = poses.states[from], own = motion.ownStateAt(from, time);
    const isTouched = poses.touched.has(of) || poses.touched.has(from);
    if (!isTouched || !shown.isSeen || !motion.isPosed(now) || !motion.isPosed(own)) {
      continue;
    }
    const [a, b] = [own, now].map((state) => motion.poseOfState(state, true)), turn = multiplied(b.q, conjugate(a.q));
    const q = multiplied(turn, shown.q), p = add(b.p, applied(rotationOf(turn), subtract(shown.p, a.p)));
    poses[ghost] = { ...shown, q, p, R: rotationOf(q) };
    if (gap !== null && motion.isPosed(poses.states[of])) {
      poses[gap] = { p, ...stretchedTo(subtract(poses.states[of].slice(9, 12), p)) };
    }
  }
}

// How what lies along z is turned and stretched to be a vector.
function stretchedTo(vector) {
  const length = Math.hypot(...vector), [x, y, z] = length > 0 ? scaled(vector, 1 / length) : [0, 0, 1];
  const q = z > -0.9999 ? unitQuaternion([-y, x, 0, 1 + z]) : [1, 0, 0, 0];
  return { q, R: rotationOf(q), size: [1, 1, length], isSeen: length > 0 };
}

// What is away because the page cannot compute it with what a hand has set, in words.
export function wordsOfAway(touched) {
  const away = file.followed.filter((each) => !each.isComputed && each.rows.some((row) => touched.has(row)));
  return [...new Set(away.map(({ what }) => what))].join(", ");
}
