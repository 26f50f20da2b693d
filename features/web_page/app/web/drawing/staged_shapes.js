// Lines of a frame that is shown turn by turn: its axes before each turn, the axis of the turn, and the arcs of angles.

import { add, rotate, cross, dot, scale, subtract, unit } from "../base/math.js";

export const GHOST_SHARE = 0.8;  // length of the axes of an earlier stage, to those of the triad
const ARC_SHARE = 0.6;  // radius of arcs, to the length of the triad, as in the program
const ARC_FACTORS = [1, 0.88, 0.76];
export const GHOST_OPACITIES = [0.38, 0.52, 0.7];
export const LIT_REACH = [-1, 1.5];  // ends of the turning axis, in lengths of the triad
export const NO_TURN = (0.05 * Math.PI) / 180;  // angle below which a turn counts as none, rad
const ARC_STEP = Math.PI / 48;
const DOT_STEP = Math.PI / 45;
export const SAME_AXIS = Math.cos(Math.PI / 360);  // cosine above which two axes count as one
const SEEN_SHADOW = 0.7;  // length in the plane of a turn that one of three unit axes always has
export const EXAMPLE_VECTOR = [0.6, 0.48, 0.64];  // fixed to the frame

// Return the axes of a sequence, 0 to 2.
/** @param {Sequence} sequence */
export const axesIn = (sequence) => [...sequence].map((letter) => "XYZ".indexOf(letter));
// Return the example vector of a frame with these axes.
/** @param {Vector[]} axes */
export const vectorOf = (axes) => EXAMPLE_VECTOR.reduce((sum, part, k) => add(sum, scale(axes[k], part)), [0, 0, 0]);
/** @param {number[]} values @param {number} i */
const tripleOf = (values, i) => values.slice(3 * i, 3 * i + 3);

// Return the axes in world of a frame before all turns, and after the first, the second and the third. `order` gives
// the turn of each angle; `above` is the orientation of the parent.
/** @param {Motion} motion @param {Turn} turn @param {Matrix} above @param {number[]} order @returns {Vector[][]} */
export function stagesOf(motion, { sequence, angles }, above, order) {
  return [0, 1, 2, 3].map((count) => {
    const T = motion.turnOf(sequence, angles.map((angle, k) => (order[k] < count ? angle : 0)));
    return [0, 1, 2].map((axis) => rotate(above, tripleOf(T, axis)));
  });
}

// Return the circles of the three angles. Each begins where the axis of the next turn is before the turn.
/** @param {Sequence} sequence @param {Vector[][]} stages @param {Vector} origin @param {number} length */
export function circlesOf(sequence, stages, origin, length) {
  const [first, second, third] = axesIn(sequence);
  return [[first, second], [second, third], [third, second]].map(([axis, start], i) => (
    circleOf(axis, stages[i][axis], stages[i][start], origin, ARC_FACTORS[i] * ARC_SHARE * length)));
}

// Return the circles about fixed axes, in the order of the sequence. Each begins at the shadow, in the plane of its
// turn, of the axis of the next turn, of the third axis, or of its own: the first that is long enough.
/** @param {Sequence} sequence @param {Vector[][]} stages @param {Vector} origin @param {number} length */
export function fixedCirclesOf(sequence, stages, origin, length) {
  const axes = axesIn(sequence).reverse();
  return axes.map((axis, i) => {
    const e = stages[0][axis], next = axes[i < 2 ? i + 1 : 1], own = stages[i];
    const shadows = [next, 3 - axis - next, axis].map((k) => subtract(own[k], scale(e, dot(e, own[k]))));
    const start = unit(shadows.find((v) => Math.hypot(...v) >= SEEN_SHADOW) ?? shadows[0]);
    return circleOf(axis, e, start, origin, ARC_FACTORS[2 - i] * ARC_SHARE * length);
  }).reverse();
}

/**
 * @param {number} axis
 * @param {Vector} normal
 * @param {Vector} x
 * @param {Vector} origin
 * @param {number} radius
 * @returns {Circle}
 */
function circleOf(axis, normal, x, origin, radius) {
  const y = cross(normal, x);
  /** @param {number} angle */
  const at = (angle) => add(origin, add(scale(x, radius * Math.cos(angle)), scale(y, radius * Math.sin(angle))));
  return { axis, at, radius };
}

// Return an angle without its whole turns, which its value states.
/** @param {number} angle */
export function withinTurn(angle) {
  const turns = Math.max(0, Math.ceil(Math.abs(angle) / (2 * Math.PI) - 1e-9) - 1);
  return angle - Math.sign(angle) * 2 * Math.PI * turns;
}

// Draw the arc of an angle with its two edges and an arrow at its end.
/** @param {Pen} pen @param {Circle} circle @param {number} angle @param {string} color @param {Vector} origin */
export function drawArc(pen, circle, angle, color, origin) {
  const rest = withinTurn(angle), count = Math.max(2, Math.ceil(Math.abs(rest) / ARC_STEP));
  /** @param {number} from @param {number} to @param {number} n */
  const span = (from, to, n) => Array.from({ length: n + 1 }, (_, i) => circle.at(from + ((to - from) * i) / n));
  pen.line(1, color, 0.55, origin, circle.at(0), origin, circle.at(rest));
  pen.path(2.5, color, 1, span(0, Math.abs(angle) > Math.abs(rest) ? Math.sign(angle) * 2 * Math.PI : rest, count));
  const head = Math.sign(rest) * Math.min(0.15, 0.6 * Math.abs(rest));
  const tip = circle.at(rest), foot = circle.at(rest - head);
  const out = scale(unit(subtract(foot, origin)), 0.045 * circle.radius);
  pen.line(2.5, color, 1, tip, add(foot, out), tip, subtract(foot, out));
}

// Draw the remaining part of a turn, dotted.
/** @param {Pen} pen @param {Circle} circle @param {number} from @param {number} to @param {string} color */
export function drawRest(pen, circle, from, to, color) {
  const way = Math.sign(to - from), count = Math.min(90, Math.floor(Math.abs(to - from) / (2 * DOT_STEP)));
  const ends = Array.from({ length: count }, (_, k) => (
    [2 * k + 1, 2 * k + 2].map((i) => circle.at(from + way * i * DOT_STEP))));
  if (count > 0) {
    pen.line(2, color, 1, ...ends.flat());
  }
}
