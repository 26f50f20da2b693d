// Read-outs: the numbers of one frame relative to another.

import { byId } from "../base/dom.js";
import {
  anglesOf, conjugate, formatNumber, multiply, otherBranch, rotate, rotationOf, signBetween, subtract, transpose,
  uprightSign,
} from "../base/math.js";
import { motion } from "../base/motion.js";
import { posesAt } from "../base/poses.js";
import { file, ORIGIN } from "../base/scene.js";

/** @param {() => void} changed */
export function makeReadOuts(changed) {
  const of = byId("of", HTMLSelectElement), relative = byId("relative", HTMLSelectElement);
  const resolved = byId("resolved", HTMLSelectElement), sequence = byId("sequence", HTMLSelectElement);
  const said = byId("said"), direction = byId("direction");
  /** @param {string} id */
  const cells = (id) => [...byId(id).querySelectorAll("output")];
  const [position, matrix, quaternion] = ["position", "matrix", "quaternion"].map(cells);
  const [velocity, omega] = ["velocity", "omega"].map(cells);
  const branches = [cells("branch-1"), cells("branch-2")];
  /** @param {number} angle */
  const inUnit = (angle) => angle * file.angles.factor;
  const frames = new Map(file.frames.map((frame) => [frame.name, frame]));
  /** @param {string} name @returns {Frame} */
  const frameOf = (name) => frames.get(name) ?? file.frames[0];
  for (const list of [of, relative, resolved]) {
    for (const { name } of file.frames) {
      list.add(new Option(name, name));
    }
  }

  // Choose a frame, relative to its parent and in the axes of that unless they are named.
  /** @param {string} name @param {string | null} from @param {string | null} axes */
  function choose(name, from = null, axes = null) {
    const frame = frameOf(name);
    of.value = name;
    relative.value = from ?? frame.parent;
    resolved.value = axes ?? frame.parent;
    sequence.value = frame.sequence;
  }

  // Signs of quaternions by pairs of frames. Q and −Q are the same orientation: the sign goes on from that at the start
  // of the scene, which is the authored one's, or else that of w ≥ 0.
  /** @type {Map<string, number>} */
  const atStart = new Map();
  /** @param {Frame} a @param {Frame} b */
  function signOf(a, b) {
    const key = JSON.stringify([a.name, b.name]);
    let sign = atStart.get(key);
    if (sign === undefined) {
      const poses = posesAt(file.start);
      const [from, to] = [a, b].map((frame) => (frame.node < 0 ? ORIGIN : poses[frame.node]).q);
      sign = signAtStart(a, b, multiply(conjugate(from), to));
      atStart.set(key, sign);
    }
    return sign;
  }

  /** @param {Frame} a @param {Frame} b @param {Quaternion} q */
  function signAtStart(a, b, q) {
    if (a.signs === null || b.signs === null) {
      return 1;
    }
    if (a.name === b.parent) {
      return signBetween(q, b.signs.own);
    }
    return uprightSign(multiply(conjugate(a.signs.begin), b.signs.begin))
      * signBetween(q, multiply(conjugate(a.signs.here), b.signs.here));
  }

  // The poses that were written last: they are written again when the reader chooses from a list.
  /** @type {Poses} */
  let latest = [];

  /** @param {Poses} poses */
  function write(poses) {
    latest = poses;
    const [a, b] = [relative.value, of.value].map((name) => frameOf(name));
    const [from, to] = [a, b].map((frame) => (frame.node < 0 ? ORIGIN : poses[frame.node]));
    const isKnown = from.isSeen && to.isSeen && a.root === b.root;
    const q = multiply(conjugate(from.q), to.q), p = rotate(transpose(from.R), subtract(to.p, from.p));
    const { angles, isLocked } = anglesOf(q, sequence.value);
    const place = motion === null ? p : writeMotion(motion, poses.states ?? []);
    put(position, place, 4, isKnown && place.every(Number.isFinite));
    put(matrix, transpose(rotationOf(q)), 4, isKnown);
    const sign = signOf(a, b);
    put(quaternion, q.map((part) => sign * part), 4, isKnown);
    put(branches[0], angles.map(inUnit), file.angles.decimals, isKnown);
    put(branches[1], otherBranch(angles, sequence.value).map(inUnit), file.angles.decimals, isKnown);
    direction.textContent = `${relative.value} into ${of.value}`;
    said.textContent = noteOn(a, b, isKnown, isLocked);
    said.hidden = said.textContent === "";
  }

  // Write the velocities, which the program's formula of relations gives. Return the position in the frame it is
  // resolved in.
  /** @param {Motion} motion @param {State[]} states */
  function writeMotion(motion, states) {
    const [a, b, c] = [of, relative, resolved].map((list) => states[motion.rowOf.get(list.value) ?? 0]);
    const roots = [of, relative, resolved].map((list) => frameOf(list.value).root);
    const numbers = new Set(roots).size > 1 ? new Array(15).fill(NaN) : motion.relation(a, b, c);
    const w = numbers.slice(3, 6), v = numbers.slice(6, 9);
    put(velocity, v, 4, v.every(Number.isFinite));
    put(omega, w.map(inUnit), file.angles.decimals, w.every(Number.isFinite));
    return numbers.slice(0, 3);
  }

  /** @param {Frame} a @param {Frame} b @param {boolean} isKnown @param {boolean} isLocked */
  function noteOn(a, b, isKnown, isLocked) {
    if (a.root !== b.root) {
      return "They are not connected: nothing says how they stand to each other.";
    }
    if (!isKnown) {
      return "There is no pose at this time.";
    }
    if (isLocked) {
      return "At the lock only α and γ together count: α is set to zero.";
    }
    const drifting = [a, b].find((frame) => frame.drift > 5e-5);
    return drifting === undefined ? ""
      : `The matrix of ${drifting.name} drifts off a rotation, by up to ${drifting.drift.toPrecision(2)}. `
        + "Shown is the nearest rotation.";
  }

  /** @param {HTMLOutputElement[]} outputs @param {number[]} values @param {number} decimals @param {boolean} isKnown */
  function put(outputs, values, decimals, isKnown) {
    outputs.forEach((output, i) => {
      output.textContent = isKnown ? formatNumber(values[i], decimals) : "–";
    });
  }

  for (const list of [relative, resolved, sequence]) {
    list.addEventListener("change", () => {
      write(latest);
      changed();
    });
  }
  choose(file.chosen);
  const names = () => ({ frame: of.value, relative: relative.value, resolved: resolved.value });
  return { of, names, choose, write };
}
