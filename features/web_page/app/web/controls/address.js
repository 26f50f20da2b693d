// The state of a page in its address, so that a link leads back to it. Every part is checked: parts that are unknown, or
// that have no valid value, are ignored.

import { motion } from "../base/motion.js";
import { isOrigin } from "../base/host.js";
import { file } from "../base/scene.js";
import { CONTROLS } from "./shown.js";
import { DECIMALS } from "./timeline.js";

const FARTHEST = 1e12;  // coordinate of a camera, m
const LONGEST_ADDRESS = 20000;  // characters of an address that is read
const FORM = ["panel", "controls", "host"];  // parts about the form of the page, which an address keeps
const WORDS = ["t", "frame", "relative", "resolved", "camera", "staged", "theme", ...FORM];
const OF_PARAMETER = "parameter:";  // prefix of a parameter that has one of these names

// Return the state of a page as the end of its address.
/** @param {PageState} state @param {string} address */
export function stateText({ time, frame, relative, resolved, camera, staged, theme }, address) {
  const parts = [["t", (time ?? file.start).toFixed(DECIMALS)]], parent = parentOf(frame ?? file.chosen);
  /** @type {[string, string | null, string | undefined][]} */
  const names = [["frame", frame, file.chosen], ["relative", relative, parent], ["resolved", resolved, parent]];
  names.forEach(([key, name, own]) => (name !== null && name !== own ? parts.push([key, name]) : 0));
  if (camera !== null) {
    const places = [camera.position, camera.focal, camera.up].flat();
    parts.push(["camera", places.map((part) => Number(part.toPrecision(9))).join(",")]);
  }
  if (staged !== null) {
    parts.push(["staged", [staged.sequence, Number(staged.progress.toFixed(3)), staged.axes, staged.side].join(",")]);
  }
  if (theme !== null) {
    parts.push(["theme", theme]);
  }
  if (motion !== null) {
    parts.push(...changesOf(motion));
  }
  const before = new URLSearchParams(address);
  FORM.forEach((key) => (before.has(key) ? parts.push([key, before.get(key) ?? ""]) : 0));
  return new URLSearchParams(parts).toString();
}

/** @param {string} name */
const parentOf = (name) => file.frames.find((frame) => frame.name === name)?.parent;

// Return the parameters and turns that are changed by hand.
/** @param {Motion} motion */
function changesOf({ names, own, parameters, turned }) {
  /** @type {[string, string][]} */
  const parts = [];
  names.forEach((name, i) => {
    if (parameters[i] !== own[i]) {
      parts.push([WORDS.includes(name) ? OF_PARAMETER + name : name, String(parameters[i])]);
    }
  });
  for (const [row, { sequence, angles }] of turned) {
    const degrees = angles.map((angle) => Number(((angle * 180) / Math.PI).toFixed(6)));
    parts.push([`turn:${file.frames[row].name}`, `${sequence},${degrees.join(",")}`]);
  }
  return parts;
}

// Take parameters and turns of an address, where all that it leaves out is as the scene has it. Return the rest of its
// state; null stands for what it leaves out.
/** @param {string} text @returns {PageState & { controls: string[] | null, host: string | null }} */
export function takeState(text) {
  const state = new URLSearchParams(text.slice(0, LONGEST_ADDRESS)), time = numberIn(state.get("t"));
  if (motion !== null) {
    takeChanges(motion, state);
  }
  const [frame, relative, resolved] = ["frame", "relative", "resolved"].map((key) => frameIn(state.get(key)));
  const theme = state.get("theme"), host = state.get("host"), controls = state.get("controls");
  return {
    time: Number.isFinite(time) ? time : null, frame, relative, resolved,
    camera: cameraIn(state.get("camera")), staged: stagedIn(state.get("staged")),
    theme: theme !== null && Object.keys(file.themes).includes(theme) ? theme : null,
    host: host !== null && isOrigin(host) ? host : null,
    controls: controls !== null ? CONTROLS.filter((name) => controls.split(",").includes(name))
      : state.get("panel") === "0" ? [] : null,
  };
}

/** @param {string | null} name */
const frameIn = (name) => (file.frames.some((frame) => frame.name === name) ? name : null);

/** @param {string | null} text @returns {Pick<Camera, "position" | "focal" | "up"> | null} */
function cameraIn(text) {
  const places = (text ?? "").split(",").map(numberIn);
  return places.length === 9 ? cameraOf(places.slice(0, 3), places.slice(3, 6), places.slice(6)) : null;
}

// Return a camera of three places; null where they are none, or look along up.
/** @param {unknown} position @param {unknown} focal @param {unknown} up */
export function cameraOf(position, focal, up) {
  if (!isPlace(position) || !isPlace(focal) || !isPlace(up)) {
    return null;
  }
  const [x, y, z] = position.map((part, i) => part - focal[i]), [a, b, c] = up;
  const sine = Math.hypot(y * c - z * b, z * a - x * c, x * b - y * a) / (Math.hypot(x, y, z) * Math.hypot(a, b, c));
  return sine > 1e-6 ? { position, focal, up } : null;
}

/** @param {unknown} place @returns {place is Vector} */
const isPlace = (place) => Array.isArray(place) && place.length === 3
  && place.every((part) => typeof part === "number" && Math.abs(part) <= FARTHEST);

/** @param {string | null} text @returns {StagedState | null} */
function stagedIn(text) {
  const [sequence, turns, axes = "moving", side = "active"] = (text ?? "").split(","), progress = numberIn(turns ?? null);
  const isKnown = motion?.hasSequence(sequence) && progress >= 0 && progress <= 3
    && ["moving", "fixed"].includes(axes) && ["active", "passive", "both"].includes(side);
  return isKnown ? { sequence, progress, axes, side } : null;
}

/** @param {Motion} motion @param {URLSearchParams} state */
function takeChanges(motion, state) {
  motion.resetParameters();
  motion.turned.clear();
  for (const [key, value] of state) {
    const name = key.startsWith(OF_PARAMETER) ? key.slice(OF_PARAMETER.length) : key;
    const row = key.startsWith("turn:") ? motion.rowOf.get(key.slice(5)) : undefined;
    if (row !== undefined && row > 0) {
      const [sequence, ...parts] = value.split(","), angles = parts.map((part) => (numberIn(part) * Math.PI) / 180);
      if (motion.hasSequence(sequence) && angles.length === 3 && angles.every(Number.isFinite)) {
        motion.turn(row, sequence, angles);
      }
    } else if (key !== name || !WORDS.includes(key)) {
      motion.setParameter(name, numberIn(value));
    }
  }
}

// Return the number in a text, or NaN.
/** @param {string | null} text */
const numberIn = (text) => (text === null || text.trim() === "" ? NaN : Number(text));
