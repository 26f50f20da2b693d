// The scene as it was exported: nodes that move, what they look like, and where they are at a time.

import { add, applied, clamp, mixed, multiplied, rotationOf, slerp, unitQuaternion } from "./math.js";

export const file = JSON.parse(document.getElementById("scene").textContent);
const numbers = Uint8Array.from(atob(document.getElementById("numbers").textContent), (c) => c.charCodeAt(0)).buffer;
const ARRAYS = { f4: Float32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array, u4: Uint32Array };
export const DURATION = file.stop - file.start;

export const read = ([kind, at, count]) => new ARRAYS[kind](numbers, at, count);

for (const shape of file.shapes) {
  for (const part of ["points", "normals", "cells", "tints", "otherTints"]) {
    shape[part] = shape[part] ? read(shape[part]) : null;
  }
  shape.reach = 0;
  for (let i = 0; i < shape.points.length; i += 3) {
    shape.reach = Math.max(shape.reach, Math.hypot(shape.points[i], shape.points[i + 1], shape.points[i + 2]));
  }
}

// A track is something that changes with time; what stands still is just its numbers.
const tracks = file.tracks.map((track) => (
  track.times ? { ...track, times: read(track.times), values: read(track.array), at: 0 } : track));

function sampleOf(track, k) {
  const { values, width, step, low } = track, found = new Array(width);
  for (let i = 0; i < width; i++) {
    const value = values[k * width + i];
    found[i] = low[i] + (step ? value * step[i] : value);
  }
  return found;
}

// Between which samples of a track a time lies, and how far. Mostly it is where the last one was, or next to it.
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

export function valueAt(index, time, between = mixed) {
  const track = tracks[index];
  if (track.still) {
    return track.still;
  }
  const [k, f] = placeIn(track, time), first = sampleOf(track, k);
  return f === 0 ? first : between(first, sampleOf(track, k + 1), f);
}

// What comes or goes does so at a sample: it does not grow.
export const sizeBetween = (a, b, f) => (f < 1 && (a[2] === 0 || b[2] === 0) ? a : mixed(a, b, f));
export const ORIGIN = { q: [0, 0, 0, 1], p: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1], size: [1, 1, 1], isSeen: true };

export function poseOf(node, parent, time) {
  const size = valueAt(node.size, time, sizeBetween);
  const q = multiplied(parent.q, unitQuaternion(valueAt(node.Q, time, slerp)));
  const p = add(parent.p, applied(parent.R, valueAt(node.p, time)));
  return { q, p, R: rotationOf(q), size, isSeen: parent.isSeen && size[2] !== 0 };
}
