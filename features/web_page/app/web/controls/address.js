// The state of a page in its address: a link leads to it.

import { formulas } from "../base/formulas.js";
import { motion } from "../base/motion.js";
import { file } from "../base/scene.js";
import { DECIMALS } from "./timeline.js";

// The moment, and what a hand has changed, as the end of the page's address: a link leads back to it.
export function stateText(time) {
  const parts = [["t", time.toFixed(DECIMALS)]];
  motion?.names.forEach((name, i) => {
    if (motion.parameters[i] !== motion.own[i]) {
      parts.push([name, String(motion.parameters[i])]);
    }
  });
  for (const [row, { sequence, angles }] of motion?.turned ?? []) {
    const degrees = angles.map((angle) => Number(((angle * 180) / Math.PI).toFixed(6)));
    parts.push([`turn:${file.frames[row].name}`, `${sequence},${degrees.join(",")}`]);
  }
  return new URLSearchParams(parts).toString();
}

// Take a state from an address, which is the whole of it; returns its time, or null. What means nothing here is nothing.
export function takeState(text) {
  let time = null;
  motion?.resetParameters();
  motion?.turned.clear();
  for (const [name, value] of new URLSearchParams(text)) {
    const number = value.trim() === "" ? NaN : Number(value), i = motion ? motion.names.indexOf(name) : -1;
    const frame = name.startsWith("turn:") ? motion?.rowOf.get(name.slice(5)) : undefined;
    if (name === "t" && Number.isFinite(number)) {
      time = number;
    } else if (i >= 0 && Number.isFinite(number) && !motion.fixed.has(name)) {
      motion.parameters[i] = number;
    } else if (frame > 0) {
      const [sequence, ...parts] = value.split(","), angles = parts.map((part) => (Number(part) * Math.PI) / 180);
      if (formulas[`turned_by_${sequence}`] && angles.length === 3 && angles.every(Number.isFinite)) {
        motion.turn(frame, sequence, angles);
      }
    }
  }
  return time;
}
