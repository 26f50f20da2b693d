// Arrows of sensors, and positions they measure, while their frames are changed by hand. The program's formula of
// relations gives them: exported arrows are those of the scene's own motion.

import { add, cross, scale, subtract } from "../base/math.js";
import { isPosed, motion } from "../base/motion.js";
import { file } from "../base/scene.js";
import { makeStrips } from "./strips.js";

const ARROW_HEAD = 0.22;  // of the arrow's length
const ARROW_HEAD_PIXELS = 14;  // at most

// Return foot and vector in world, m; null where an end has no pose.
/** @param {SensorArrow} arrow @param {State[]} states */
function sensorArrow({ rows: [at, from], place, metres, less }, states) {
  if (motion === null || !isPosed(states[at]) || !isPosed(states[from])) {
    return null;
  }
  if (place === undefined) {
    const foot = states[from].slice(9, 12);
    return { foot, vector: subtract(states[at].slice(9, 12), foot) };
  }
  const relation = motion.relation(states[at], states[from], states[0]);
  const vector = scale(subtract(relation.slice(place, place + 3), less), metres);
  return vector.every(Number.isFinite) ? { foot: states[at].slice(9, 12), vector } : null;
}

// Return foot and vector of the arrow of a mark.
/** @param {Mark} mark @param {State[]} states */
export function computeArrow({ name, symbol }, states) {
  const arrow = file.sensorArrows.find((sensor) => sensor.name === name && sensor.symbol === symbol);
  return arrow === undefined ? null : sensorArrow(arrow, states);
}

// Return the lines of all arrows whose frames have been touched.
/** @param {Poses} poses @param {Theme} colors @param {Projection} projection */
export function sensorStrips({ states = [], touched = new Set() }, colors, projection) {
  const pen = makeStrips();
  for (const arrow of file.sensorArrows.filter(({ rows }) => rows.some((row) => touched.has(row)))) {
    const drawn = sensorArrow(arrow, states), length = drawn === null ? 0 : Math.hypot(...drawn.vector);
    if (drawn !== null && length > 0) {
      const along = scale(drawn.vector, 1 / length), tip = add(drawn.foot, drawn.vector), backward = projection.axes[2];
      const seen = cross(along, backward), aside = scale(seen, 1 / Math.max(Math.hypot(...seen), 1e-9));
      const head = Math.min(ARROW_HEAD * length, ARROW_HEAD_PIXELS * projection.metresPerPixel);
      const neck = subtract(tip, scale(along, head));
      const color = String(colors[arrow.role]), [width, opacity] = arrow.place === undefined ? [1.5, 0.75] : [3, 1];
      pen.line(width, color, opacity, drawn.foot, tip);
      [-1, 1].forEach((side) => pen.line(width, color, opacity, tip, add(neck, scale(aside, 0.5 * side * head))));
    }
  }
  return pen.strips;
}
