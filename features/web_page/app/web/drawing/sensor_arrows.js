// Arrows of sensors, and positions they measure, whose frames a hand has touched: computed by the program's formula of
// relations, as they were exported they are of the scene's own motion.

import { add, cross, scaled, subtract } from "../base/math.js";
import { motion } from "../base/motion.js";
import { file } from "../base/scene.js";
import { makeStrips } from "./strips.js";

const ARROW_HEAD = 0.22;  // of the arrow's length
const ARROW_HEAD_PIXELS = 14;  // at most

// Foot and vector in world, m; null where there is none.
function sensorArrow({ rows: [at, from], place, metres }, states) {
  if (!motion.isPosed(states[at]) || !motion.isPosed(states[from])) {
    return null;
  }
  if (place === undefined) {
    const foot = states[from].slice(9, 12);
    return { foot, vector: subtract(states[at].slice(9, 12), foot) };
  }
  const vector = scaled(motion.relation(states[at], states[from], states[0]).slice(place, place + 3), metres);
  return vector.every(Number.isFinite) ? { foot: states[at].slice(9, 12), vector } : null;
}

// The same of what stands at the tip of an exported arrow.
export function computedArrow({ name, symbol }, states) {
  const found = file.sensorArrows.find((arrow) => arrow.name === name && arrow.symbol === symbol);
  return found === undefined ? null : sensorArrow(found, states);
}

export function sensorStrips({ states, touched }, colors, projection) {
  const pen = makeStrips();
  for (const arrow of file.sensorArrows.filter(({ rows }) => rows.some((row) => touched.has(row)))) {
    const found = sensorArrow(arrow, states), length = found === null ? 0 : Math.hypot(...found.vector);
    if (length > 0) {
      const along = scaled(found.vector, 1 / length), tip = add(found.foot, found.vector), backward = projection.axes[2];
      const seen = cross(along, backward), aside = scaled(seen, 1 / Math.max(Math.hypot(...seen), 1e-9));
      const head = Math.min(ARROW_HEAD * length, ARROW_HEAD_PIXELS * projection.metresPerPixel);
      const neck = subtract(tip, scaled(along, head));
      const color = colors[arrow.role], [width, opacity] = arrow.place === undefined ? [1.5, 0.75] : [3, 1];
      pen.line(width, color, opacity, found.foot, tip);
      [-1, 1].forEach((side) => pen.line(width, color, opacity, tip, add(neck, scaled(aside, 0.5 * side * head))));
    }
  }
  return pen.strips;
}
