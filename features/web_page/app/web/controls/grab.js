// Turning a frame by the tip of one of its axes. The tip goes to the pointer by the shortest way.

import {
  add, clamp, conjugate, cross, dot, multiply, rotationOf, scale, subtract, transpose, unit, unitQuaternion,
} from "../base/math.js";
import { posesAt } from "../base/poses.js";
import { file } from "../base/scene.js";
import { parts } from "./parts.js";

const MOUSE_PIXELS = 13;  // from the pointer to a tip, or to its letter, at most
/** @type {Record<string, number>} */
const TIP_PIXELS = { mouse: MOUSE_PIXELS, pen: 16, touch: 26 };
const LETTER_PIXELS = 24;  // from a tip to its letter

// Return a grab. `look` gives the projection and the time; `turned` is called with the row of a frame that is turned.
/**
 * @param {Motion} motion
 * @param {{ projection: () => Projection, time: () => number }} look
 * @param {(row: number) => void} turned
 */
export function makeGrab(motion, look, turned) {
  // Return the row and the axis of the nearest tip at a place in the picture; undefined where there is none.
  /** @param {Pixels} place @param {number} reach */
  function tipAt([x, y], reach) {
    if (motion.staged() !== null) {
      return undefined;
    }
    const projection = look.projection(), poses = posesAt(look.time());
    return file.frames.flatMap(({ node, axis: length }, row) => {
      if (node < 0 || length === 0 || !poses[node].isSeen) {
        return [];
      }
      const { p, R } = poses[node], from = projection.project(p);
      return [0, 1, 2].map((axis) => {
        const [u, v, depth] = projection.project(add(p, scale([R[axis], R[axis + 3], R[axis + 6]], length)));
        const seen = Math.max(Math.hypot(u - from[0], v - from[1]), 1);
        const out = [(u - from[0]) / seen, (v - from[1]) / seen];
        const on = clamp((x - u) * out[0] + (y - v) * out[1], 0, LETTER_PIXELS);
        return { row, axis, away: Math.hypot(u + on * out[0] - x, v + on * out[1] - y), depth };
      });
    }).filter((tip) => tip.depth > 0 && tip.away <= reach).sort((a, b) => a.away - b.away)[0];
  }

  // Return the direction from a frame's origin to the point where the line of sight meets the sphere of its tips, on
  // the side of the tip now, or to the point where the line passes nearest.
  /** @param {Pixels} place @param {Vector} center @param {number} radius @param {Vector} now */
  function directionTo([x, y], center, radius, now) {
    const { origin, direction } = look.projection().ray(x, y), from = subtract(center, origin);
    const nearest = subtract(scale(direction, dot(from, direction)), from), away = Math.hypot(...nearest);
    if (away >= radius) {
      return unit(nearest);
    }
    const deep = scale(direction, Math.sqrt(radius * radius - away * away));
    const [near, far] = [subtract(nearest, deep), add(nearest, deep)];
    return scale(dot(near, now) >= dot(far, now) ? near : far, 1 / radius);
  }

  /** @param {number} row @param {number} axis @param {Pixels} at */
  function turnTo(row, axis, at) {
    const time = look.time(), states = motion.statesAt(time), parents = file.motion?.parents ?? [];
    const { R, p, q } = motion.poseOfState(states[row], true);
    const now = [R[axis], R[axis + 3], R[axis + 6]], wanted = directionTo(at, p, file.frames[row].axis, now);
    const cosine = dot(now, wanted);
    if (cosine < -0.999) {
      return;
    }
    const turn = unitQuaternion([...cross(now, wanted), 1 + cosine]);
    const above = motion.poseOfState(states[parents[row]], true);
    const T = transpose(rotationOf(multiply(conjugate(above.q), multiply(turn, q))));
    const sequence = motion.turned.get(row)?.sequence ?? file.frames[row].sequence;
    motion.turn(row, sequence, motion.nearestAngles(T, sequence, motion.anglesAt(row, time, sequence)));
  }

  return {
    /** @param {Pixels} at @param {string} kind */
    isOn: (at, kind) => tipAt(at, TIP_PIXELS[kind] ?? MOUSE_PIXELS) !== undefined,
    // Take hold of a tip; return a function that follows the pointer, or null.
    /** @param {Pixels} at @param {string} kind */
    begin(at, kind) {
      const tip = tipAt(at, TIP_PIXELS[kind] ?? MOUSE_PIXELS);
      if (tip === undefined) {
        return null;
      }
      turned(tip.row);
      return (/** @type {Pixels} */ place) => {
        turnTo(tip.row, tip.axis, place);
        turned(tip.row);
      };
    },
  };
}

parts.makeGrab = makeGrab;
