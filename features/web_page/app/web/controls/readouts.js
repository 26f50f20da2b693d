// The numbers of one frame relative to another.

import {
  alike, anglesOf, applied, conjugate, fixed, multiplied, otherBranch, rotationOf, subtract, transposed, upright,
} from "../base/math.js";
import { motion } from "../base/motion.js";
import { posesAt } from "../base/poses.js";
import { file, ORIGIN } from "../base/scene.js";

export function makeReadOuts(panel) {
  const of = panel.querySelector("#of"), relative = panel.querySelector("#relative");
  const sequence = panel.querySelector("#sequence");
  const cells = (id) => [...panel.querySelectorAll(`#${id} output`)];
  const [position, matrix, quaternion] = ["position", "matrix", "quaternion"].map(cells);
  const branches = [cells("branch-1"), cells("branch-2")];
  const shown = (angle) => angle * file.angles.factor;
  const said = panel.querySelector("#said"), direction = panel.querySelector("#direction");
  const resolved = panel.querySelector("#resolved"), [velocity, omega] = ["velocity", "omega"].map(cells);
  const frames = new Map(file.frames.map((frame) => [frame.name, frame]));
  for (const list of [of, relative, resolved]) {
    for (const { name } of file.frames) {
      list.add(new Option(name, name));
    }
  }

  function choose(name) {
    const frame = frames.get(name);
    of.value = name;
    relative.value = resolved.value = frame.parent;
    sequence.value = frame.sequence;
  }

  // Of Q and −Q the one whose sign goes on from the start of the scene: there the authored one's, or else w ≥ 0.
  const atStart = new Map();
  function signOf(a, b) {
    const key = JSON.stringify([a.name, b.name]);
    if (!atStart.has(key)) {
      const poses = posesAt(file.start);
      const [from, to] = [a, b].map((frame) => (frame.node < 0 ? ORIGIN : poses[frame.node]).q);
      atStart.set(key, a.signs && b.signs ? signAtStart(a, b, multiplied(conjugate(from), to)) : 1);
    }
    return atStart.get(key);
  }

  function signAtStart(a, b, q) {
    if (a.name === b.parent) {
      return alike(q, b.signs.own);
    }
    return upright(multiplied(conjugate(a.signs.begin), b.signs.begin))
      * alike(q, multiplied(conjugate(a.signs.here), b.signs.here));
  }

  // The last frame that was written, so that it can be written again when a list has changed.
  let latest = [];

  function write(poses) {
    latest = poses;
    const [a, b] = [relative.value, of.value].map((name) => frames.get(name));
    const [from, to] = [a, b].map((frame) => (frame.node < 0 ? ORIGIN : poses[frame.node]));
    const isKnown = from.isSeen && to.isSeen && a.root === b.root;
    const q = multiplied(conjugate(from.q), to.q), p = applied(transposed(from.R), subtract(to.p, from.p));
    const { angles, isLocked } = anglesOf(q, sequence.value);
    const place = motion === null ? p : writeMotion(poses);
    put(position, place, 4, isKnown && place.every(Number.isFinite));
    put(matrix, transposed(rotationOf(q)), 4, isKnown);
    const sign = signOf(a, b);
    put(quaternion, q.map((part) => sign * part), 4, isKnown);
    put(branches[0], angles.map(shown), file.angles.decimals, isKnown);
    put(branches[1], otherBranch(angles, sequence.value).map(shown), file.angles.decimals, isKnown);
    direction.textContent = `${relative.value} into ${of.value}`;
    said.textContent = noteOn(a, b, isKnown, isLocked);
    said.hidden = said.textContent === "";
  }

  // Velocities, computed by the program's own formula of relations; the position in the frame it is resolved in.
  function writeMotion({ states }) {
    const [a, b, c] = [of, relative, resolved].map((list) => states[motion.rowOf.get(list.value)]);
    const roots = [of, relative, resolved].map((list) => frames.get(list.value).root);
    const found = new Set(roots).size > 1 ? new Array(15).fill(NaN) : motion.relation(a, b, c);
    const w = found.slice(3, 6), v = found.slice(6, 9);
    put(velocity, v, 4, v.every(Number.isFinite));
    put(omega, w.map(shown), file.angles.decimals, w.every(Number.isFinite));
    return found.slice(0, 3);
  }

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

  function put(outputs, values, decimals, isKnown) {
    outputs.forEach((output, i) => {
      output.textContent = isKnown ? fixed(values[i], decimals) : "–";
    });
  }

  for (const list of [relative, resolved, sequence]) {
    list.addEventListener("change", () => write(latest));
  }
  choose(file.chosen);
  return { of, choose, write };
}
