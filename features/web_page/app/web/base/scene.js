// The scene as it was exported: nodes that move, their shapes, and their poses in their parents over time.

import { add, clamp, mix, multiply, rotate, rotationOf, slerp, unitQuaternion } from "./math.js";

/** @param {string} id */
const textOf = (id) => document.getElementById(id)?.textContent ?? "";

/** @type {SceneFile} */
export const file = JSON.parse(textOf("scene"));
const numbers = Uint8Array.from(atob(textOf("numbers")), (c) => c.charCodeAt(0)).buffer;
const ARRAYS = { f4: Float32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array, u4: Uint32Array };
export const DURATION = file.stop - file.start;

/** @type {(packed: PackedArray) => any} */
export const read = ([kind, at, count]) => new ARRAYS[kind](numbers, at, count);

export const sceneShapes = file.shapes.map(readShape);

/** @param {SceneShape} shape @returns {Shape} */
function readShape(shape) {
  const points = read(shape.points);
  let reach = 0;
  for (let i = 0; i < points.length; i += 3) {
    reach = Math.max(reach, Math.hypot(points[i], points[i + 1], points[i + 2]));
  }
  return {
    ...shape, points, reach, cells: read(shape.cells),
    normals: shape.normals ? read(shape.normals) : null,
    tints: shape.tints ? read(shape.tints) : null,
    otherTints: shape.otherTints ? read(shape.otherTints) : null,
  };
}

// Values that change with time are tracks of samples; others are just their numbers.
const tracks = file.tracks.map((track) => (
  track.still ? track : { ...track, times: read(track.times), values: read(track.array), at: 0 }));

/** @param {Track} track @param {number} k */
function sampleOf(track, k) {
  const { values, width, step, low } = track, sample = new Array(width);
  for (let i = 0; i < width; i++) {
    const value = values[k * width + i];
    sample[i] = low[i] + (step ? value * step[i] : value);
  }
  return sample;
}

// Return the sample of a track before a time, and the fraction of the way to the next one. The search begins at the
// sample that was read last.
/** @param {Track} track @param {number} time */
function placeIn(track, time) {
  const { times } = track, since = clamp(time - file.start, times[0], times[times.length - 1]);
  let k = track.at;
  if (times[k] > since || since >= (times[k + 2] ?? Infinity)) {
    let high = times.length - 1;
    k = 0;
    while (high - k > 1) {
      const middle = (k + high) >> 1;
      if (times[middle] <= since) { k = middle; } else { high = middle; }
    }
  } else if (k + 2 < times.length && times[k + 1] <= since) {
    k += 1;
  }
  track.at = k;
  return [k, (since - times[k]) / (times[k + 1] - times[k])];
}

/** @param {number} index @param {number} time @param {Between} between */
export function valueAt(index, time, between = mix) {
  const track = tracks[index];
  if (track.still) {
    return track.still;
  }
  const [k, f] = placeIn(track, time), first = sampleOf(track, k);
  return f === 0 ? first : between(first, sampleOf(track, k + 1), f);
}

// Nodes appear and disappear at a sample: their sizes are not interpolated.
/** @type {Between} */
export const sizeBetween = (a, b, f) => (f < 1 && (a[2] === 0 || b[2] === 0) ? a : mix(a, b, f));
export const ORIGIN = { q: [0, 0, 0, 1], p: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1], size: [1, 1, 1], isSeen: true };

/** @param {SceneNode} node @param {Pose} parent @param {number} time @returns {Pose} */
export function poseOf(node, parent, time) {
  const size = valueAt(node.size, time, sizeBetween);
  const q = multiply(parent.q, unitQuaternion(valueAt(node.Q, time, slerp)));
  const p = add(parent.p, rotate(parent.R, valueAt(node.p, time)));
  return { q, p, R: rotationOf(q), size, isSeen: parent.isSeen && size[2] !== 0 };
}
