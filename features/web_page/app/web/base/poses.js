// Poses of all nodes in world at a time: sampled, or computed in pages with sliders.

import { mix, subtract } from "./math.js";
import { placeMeasured } from "./measured.js";
import { isPosed, motion } from "./motion.js";
import { DURATION, file, ORIGIN, poseOf, sceneShapes } from "./scene.js";

// Return the poses of all nodes. Parents come before their children. A size is one, or zero where a node and all its
// descendants are hidden.
/** @param {number} time @returns {Poses} */
export function posesAt(time) {
  if (motion !== null) {
    return computePoses(motion, time);
  }
  /** @type {Pose[]} */
  const poses = [];
  for (const node of file.nodes) {
    poses.push(poseOf(node, node.parent < 0 ? ORIGIN : poses[node.parent], time));
  }
  return poses;
}

export const rowOfNode = new Map(file.frames.map((frame, row) => [frame.node, row]));

// Return whether an item is as it was exported: no frame that it follows has been touched.
/** @param {Followed} item @param {Set<number>} touched */
export const isAsExported = ({ follows }, touched) => (
  touched.size === 0 || (follows !== undefined && !file.followed[follows].rows.some((row) => touched.has(row))));

// Return the poses of nodes whose frames are computed. Items drawn for the scene's own motion, such as arrows, are
// hidden where a change made by hand touches their frames.
/** @param {Motion} motion @param {number} time @returns {Poses} */
function computePoses(motion, time) {
  const states = motion.statesAt(time), touched = motion.touchedRows();
  /** @type {Poses} */
  const poses = [];
  file.nodes.forEach((node, index) => {
    const row = rowOfNode.get(index), parent = node.parent < 0 ? ORIGIN : poses[node.parent];
    if (row === undefined) {
      const pose = poseOf(node, parent, time);
      poses.push(node.isFixed || isAsExported(node, touched) ? pose : { ...pose, isSeen: false });
    } else {
      poses.push(isPosed(states[row]) ? motion.poseOfState(states[row], parent.isSeen) : { ...ORIGIN, isSeen: false });
    }
  });
  Object.assign(poses, { states, touched });
  if (touched.size > 0) {
    motion.placeRings(time, poses);
    placeMeasured(motion, time, poses, states, touched);
  }
  return poses;
}

/** @type {Map<number, SceneNode[]>} */
const chains = new Map();

// Return the nodes from the root to a node.
/** @param {number} index */
function chainOf(index) {
  let chain = chains.get(index);
  if (chain === undefined) {
    chain = [];
    for (let i = index; i >= 0; i = file.nodes[i].parent) {
      chain.unshift(file.nodes[i]);
    }
    chains.set(index, chain);
  }
  return chain;
}

// Return the path of a node's origin between two times.
/** @param {number} index @param {number} from @param {number} to @param {number} count @returns {Vector[]} */
export function pathBetween(index, from, to, count) {
  const times = Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
  const row = rowOfNode.get(index), moving = motion;
  if (moving !== null && row !== undefined) {
    return times.map((time) => moving.stateAt(row, time).slice(9, 12)).filter((p) => p.every(Number.isFinite));
  }
  const chain = chainOf(index);
  return times.map((time) => chain.reduce((parent, node) => poseOf(node, parent, time), ORIGIN).p);
}

// Return a sphere around everything in the scene, at some of the times.
/** @returns {Bounds} */
export function boundsOfAll() {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= 16; i++) {
    posesAt(file.start + (DURATION * i) / 16).forEach((pose, index) => {
      const node = file.nodes[index];
      const reach = Math.max(0, ...node.shapes.map((shape) => sceneShapes[shape].reach)) * Math.max(...pose.size);
      for (let axis = 0; axis < 3 && pose.isSeen; axis++) {
        low[axis] = Math.min(low[axis], pose.p[axis] - reach);
        high[axis] = Math.max(high[axis], pose.p[axis] + reach);
      }
    });
  }
  const isEmpty = low[0] > high[0];
  return isEmpty ? { center: [0, 0, 0], radius: 1 }
    : { center: mix(low, high, 0.5), radius: Math.max(Math.hypot(...subtract(high, low)) / 2, 1e-6) };
}
