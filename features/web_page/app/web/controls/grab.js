// Turning a frame by the tip of one of its axes: the tip goes to where the pointer is, by the shortest way.

import {
  add, clamp, conjugate, cross, dot, multiplied, rotationOf, scaled, subtract, transposed, unit, unitQuaternion,
} from "../base/math.js";
import { motion } from "../base/motion.js";
import { posesAt } from "../base/poses.js";
import { file } from "../base/scene.js";
import { parts } from "./parts.js";

const TIP_PIXELS = { mouse: 13, pen: 16, touch: 26 };  // how near a tip, or its letter, has to be
const LETTER_PIXELS = 24;  // from a tip to its letter

// `look` gives the projection and the time; `turned` is told of a frame that has been turned.
function makeGrab(look, turned) {
  // The row and axis of the nearest tip at a place in the picture; undefined where there is none.
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
        const [u, v, depth] = projection.project(add(p, scaled([R[axis], R[axis + 3], R[axis + 6]], length)));
        const seen = Math.max(Math.hypot(u - from[0], v - from[1]), 1), out = [(u - from[0]) / seen, (v - from[1]) / seen];
        const on = clamp((x - u) * out[0] + (y - v) * out[1], 0, LETTER_PIXELS);
        return { row, axis, away: Math.hypot(u + on * out[0] - x, v + on * out[1] - y), depth };
      });
    }).filter((tip) => tip.depth > 0 && tip.away <= reach).sort((a, b) => a.away - b.away)[0];
  }

  // The direction from a frame's origin to where the pointer meets the sphere of its tips, on the side where the tip is
  // now, or to where it passes nearest.
  function directionTo([x, y], center, radius, now) {
    const { origin, direction } = look.projection().ray(x, y), from = subtract(center, origin);
    const along = dot(from, direction), nearest = subtract(scaled(direction, along), from), away = Math.hypot(...nearest);
    if (away >= radius) {
      return unit(nearest);
    }
    const deep = scaled(direction, Math.sqrt(radius * radius - away * away));
    const [near, far] = [subtract(nearest, deep), add(nearest, deep)];
    return scaled(dot(near, now) >= dot(far, now) ? near : far, 1 / radius);
  }

  function turnTo(row, axis, at) {
    const time = look.time(), states = motion.statesAt(time), { R, p, q } = motion.poseOfState(states[row], true);
    const now = [R[axis], R[axis + 3], R[axis + 6]], wanted = directionTo(at, p, file.frames[row].axis, now);
    const cosine = dot(now, wanted);
    if (cosine < -0.999) {
      return;
    }
    const turn = unitQuaternion([...cross(now, wanted), 1 + cosine]);
    const above = motion.poseOfState(states[file.motion.parents[row]], true);
    const T = transposed(rotationOf(multiplied(conjugate(above.q), multiplied(turn, q))));
    const sequence = motion.turned.get(row)?.sequence ?? file.frames[row].sequence;
    motion.turn(row, sequence, motion.nearestAngles(T, sequence, motion.anglesAt(row, time, sequence)));
  }

  return {
    isOn: (at, kind) => tipAt(at, TIP_PIXELS[kind] ?? TIP_PIXELS.mouse) !== undefined,
    // Take hold of a tip; returns what follows the pointer, or null.
    begin(at, kind) {
      const tip = tipAt(at, TIP_PIXELS[kind] ?? TIP_PIXELS.mouse);
      if (tip === undefined) {
        return null;
      }
      turned(tip.row);
      return (place) => {
        turnTo(tip.row, tip.axis, place);
        turned(tip.row);
      };
    },
  };
}

parts.makeGrab = makeGrab;
