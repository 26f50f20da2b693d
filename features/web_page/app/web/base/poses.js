// Where all nodes are in world at a time: sampled, or computed where something has been changed by hand.

import { mixed, subtract } from "./math.js";
import { placeMeasured } from "./measured.js";
import { motion } from "./motion.js";
import { DURATION, file, ORIGIN, poseOf } from "./scene.js";

// Where all nodes are in world. Parents come before their children, and their sizes are one, or zero where they and
// all on them are not to be seen.
export function posesAt(time) {
  if (motion !== null) {
    return computedPoses(time);
  }
  const poses = [];
  for (const node of file.nodes) {
    poses.push(poseOf(node, node.parent < 0 ? ORIGIN : poses[node.parent], time));
  }
  return poses;
}

export const rowOfNode = new Map(file.frames.map((frame, row) => [frame.node, row]));

// Whether something is as it was exported: nothing that it follows has been touched.
export const isAsExported = ({ follows }, touched) => (
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
export function pathBetween(index, from, to, count) {
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
export function boundsOfAll() {
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
