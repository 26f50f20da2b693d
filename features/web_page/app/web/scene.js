// The scene as it was exported: nodes that move, what they look like, and where they are at a time.

const file = JSON.parse(document.getElementById("scene").textContent);
const numbers = Uint8Array.from(atob(document.getElementById("numbers").textContent), (c) => c.charCodeAt(0)).buffer;
const ARRAYS = { f4: Float32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array, u4: Uint32Array };
const DURATION = file.stop - file.start;

const read = ([kind, at, count]) => new ARRAYS[kind](numbers, at, count);

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

function valueAt(index, time, between = mixed) {
  const track = tracks[index];
  if (track.still) {
    return track.still;
  }
  const [k, f] = placeIn(track, time), first = sampleOf(track, k);
  return f === 0 ? first : between(first, sampleOf(track, k + 1), f);
}

// What comes or goes does so at a sample: it does not grow.
const sizeBetween = (a, b, f) => (f < 1 && (a[2] === 0 || b[2] === 0) ? a : mixed(a, b, f));
const ORIGIN = { q: [0, 0, 0, 1], p: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1], size: [1, 1, 1], isSeen: true };

function poseOf(node, parent, time) {
  const size = valueAt(node.size, time, sizeBetween);
  const q = multiplied(parent.q, unitQuaternion(valueAt(node.Q, time, slerp)));
  const p = add(parent.p, applied(parent.R, valueAt(node.p, time)));
  return { q, p, R: rotationOf(q), size, isSeen: parent.isSeen && size[2] !== 0 };
}

// Where all nodes are in world. Parents come before their children, and their sizes are one, or zero where they and
// all on them are not to be seen.
function posesAt(time) {
  if (motion !== null) {
    return computedPoses(time);
  }
  const poses = [];
  for (const node of file.nodes) {
    poses.push(poseOf(node, node.parent < 0 ? ORIGIN : poses[node.parent], time));
  }
  return poses;
}

const rowOfNode = new Map(file.frames.map((frame, row) => [frame.node, row]));

// Whether something is as it was exported: nothing that it follows has been touched.
const isAsExported = ({ follows }, touched) => (
  touched.size === 0 || (follows !== undefined && !file.followed[follows].rows.some((row) => touched.has(row))));

// The same where frames are computed. While a hand has changed something, what was drawn for the scene's own motion of
// the frames that it touches, such as arrows, is not to be seen.
function computedPoses(time) {
  const states = motion.statesAt(time), touched = motion.touchedRows(), poses = [];
  file.nodes.forEach((node, index) => {
    const row = rowOfNode.get(index), parent = node.parent < 0 ? ORIGIN : poses[node.parent];
    if (row === undefined) {
      const pose = poseOf(node, parent, time);
      poses.push(node.isFixed || isAsExported(node, touched) ? pose : { ...pose, isSeen: false });
    } else {
      poses.push(motion.isPosed(states[row]) ? motion.poseOfState(states[row], parent.isSeen) : { ...ORIGIN, isSeen: false });
    }
  });
  Object.assign(poses, { states, touched });
  if (touched.size > 0) {
    motion.ringPoses(time, poses);
    placeMeasured(time, poses);
  }
  return poses;
}

// The nodes from the root to a node.
const chains = new Map();
function chainOf(index) {
  if (!chains.has(index)) {
    const chain = [];
    for (let i = index; i >= 0; i = file.nodes[i].parent) {
      chain.unshift(file.nodes[i]);
    }
    chains.set(index, chain);
  }
  return chains.get(index);
}

// The path of a node's origin between two times.
function pathBetween(index, from, to, count) {
  const row = motion === null ? undefined : rowOfNode.get(index);
  if (row !== undefined) {
    const place = (i) => motion.stateAt(row, from + ((to - from) * i) / (count - 1)).slice(9, 12);
    return Array.from({ length: count }, (_, i) => place(i)).filter((p) => p.every(Number.isFinite));
  }
  const chain = chainOf(index);
  return Array.from({ length: count }, (_, i) => {
    const time = from + ((to - from) * i) / (count - 1);
    return chain.reduce((parent, node) => poseOf(node, parent, time), ORIGIN).p;
  });
}

// A sphere about all there is, at some of the times.
function boundsOfAll() {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= 16; i++) {
    posesAt(file.start + (DURATION * i) / 16).forEach((pose, index) => {
      const node = file.nodes[index];
      const reach = Math.max(0, ...node.shapes.map((shape) => file.shapes[shape].reach)) * Math.max(...pose.size);
      for (let axis = 0; axis < 3 && pose.isSeen; axis++) {
        low[axis] = Math.min(low[axis], pose.p[axis] - reach);
        high[axis] = Math.max(high[axis], pose.p[axis] + reach);
      }
    });
  }
  const isEmpty = low[0] > high[0];
  return isEmpty ? { center: [0, 0, 0], radius: 1 }
    : { center: mixed(low, high, 0.5), radius: Math.max(Math.hypot(...subtract(high, low)) / 2, 1e-6) };
}
