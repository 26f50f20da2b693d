// The state of a page in its address, so that a link leads back to it.

import { motion } from "../base/motion.js";
import { file } from "../base/scene.js";
import { DECIMALS } from "./timeline.js";

// Return the time, and all that is changed by hand, as the end of the page's address.
/** @param {number} time */
export function stateText(time) {
  const parts = [["t", time.toFixed(DECIMALS)]];
  if (motion === null) {
    return new URLSearchParams(parts).toString();
  }
  const { names, own, parameters, turned } = motion;
  names.forEach((name, i) => {
    if (parameters[i] !== own[i]) {
      parts.push([name, String(parameters[i])]);
    }
  });
  for (const [row, { sequence, angles }] of turned) {
    const degrees = angles.map((angle) => Number(((angle * 180) / Math.PI).toFixed(6)));
    parts.push([`turn:${file.frames[row].name}`, `${sequence},${degrees.join(",")}`]);
  }
  return new URLSearchParams(parts).toString();
}

// Take the state of an address: all else is as the scene has it. Return its time, or null. Unknown parts are ignored.
/** @param {string} text */
export function takeState(text) {
  const state = new URLSearchParams(text), time = numberIn(state.get("t"));
  if (motion !== null) {
    takeChanges(motion, state);
  }
  return Number.isFinite(time) ? time : null;
}

/** @param {Motion} motion @param {URLSearchParams} state */
function takeChanges(motion, state) {
  motion.resetParameters();
  motion.turned.clear();
  for (const [name, value] of state) {
    const number = numberIn(value), i = motion.names.indexOf(name);
    const row = name.startsWith("turn:") ? motion.rowOf.get(name.slice(5)) : undefined;
    if (name === "t" && Number.isFinite(number)) {
      continue;
    }
    if (i >= 0 && Number.isFinite(number) && !motion.fixed.has(name)) {
      motion.parameters[i] = number;
    } else if (row !== undefined && row > 0) {
      const [sequence, ...parts] = value.split(","), angles = parts.map((part) => (Number(part) * Math.PI) / 180);
      if (motion.hasSequence(sequence) && angles.length === 3 && angles.every(Number.isFinite)) {
        motion.turn(row, sequence, angles);
      }
    }
  }
}

// Return the number in a text, or NaN.
/** @param {string | null} text */
const numberIn = (text) => (text === null || text.trim() === "" ? NaN : Number(text));
