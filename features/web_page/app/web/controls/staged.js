// A rotation turn by turn: its progress, its bar, and its lines. Progress counts turns, from 0, the orientation of the
// parent, to 3, that of the frame. Active and passive differ in the camera. About the fixed axes of the parent the last
// angle of the sequence is turned first.

import { byId, find } from "../base/dom.js";
import { add, clamp, dot, formatNumber, scale, subtract } from "../base/math.js";
import { isPosed } from "../base/motion.js";
import { file } from "../base/scene.js";
import {
  axesIn, circlesOf, drawArc, drawRest, EXAMPLE_VECTOR, fixedCirclesOf, GHOST_OPACITIES, GHOST_SHARE, LIT_REACH,
  NO_TURN, stagesOf, vectorOf,
} from "../drawing/staged_shapes.js";
import { GREEK, makeStagedTags, PRIMES } from "../drawing/staged_tags.js";
import { makeStrips } from "../drawing/strips.js";
import { parts } from "./parts.js";

const SECONDS_PER_TURN = 2.5;
const SETTLED = 1e-9;  // progress this near a whole turn counts as whole
/** @type {Record<string, number[]>} */
const ORDERS = { moving: [0, 1, 2], fixed: [2, 1, 0] };  // the angle of each turn, and the turn of each angle
/** @type {Record<string, string[]>} */
const SIDES = { active: ["active"], passive: ["passive"], both: ["active", "passive"] };

/** @typedef {Turn & { row: number, progress: number }} Steps */
/**
 * @typedef {object} StagedLook
 * @property {() => number} row
 * @property {() => Sequence} sequence
 * @property {() => number} time
 * @property {() => boolean} isTimePlaying
 * @property {() => void} pause
 * @property {() => void} changed
 */

// Return the mode that shows a rotation turn by turn. `look` gives the chosen frame, its sequence and the time, pauses
// the clock, and is called after each change.
/** @param {Motion} motion @param {StagedLook} look */
export function makeStaged(motion, look) {
  const bar = byId("staged-bar"), button = byId("staged", HTMLButtonElement);
  /** @type {NodeListOf<HTMLElement>} */
  const chipList = bar.querySelectorAll(".chip");
  const chips = [...chipList], range = byId("staged-progress", HTMLInputElement);
  const side = byId("staged-side", HTMLSelectElement), kind = byId("staged-axes", HTMLSelectElement);
  const parents = file.motion?.parents ?? [];
  /** @type {Steps | null} */
  let steps = null;
  let isPlaying = false;

  const progress = () => steps?.progress ?? 0;
  /** @param {number} i */
  const share = (i) => clamp(progress() - i, 0, 1);
  const order = () => ORDERS[kind.value];
  /** @param {Steps} steps */
  const anglesNow = ({ angles }) => angles.map((angle, k) => angle * share(order()[k]));
  const present = () => clamp(Math.ceil(progress() - SETTLED) - 1, -1, 2);
  /** @param {number} i */
  const stateOf = (i) => (progress() >= i + 1 - SETTLED ? "done" : i === present() ? "present" : "to come");
  /** @param {number} angle */
  const angleText = (angle) => formatNumber(angle * file.angles.factor, file.angles.sceneDecimals) + file.angles.sign;

  /** @param {boolean} isOn */
  function setOn(isOn) {
    if (isOn === (steps !== null)) {
      return;
    }
    steps = isOn ? { row: look.row(), sequence: look.sequence(), angles: [], progress: 0 } : null;
    isPlaying = false;
    bar.hidden = !isOn;
    button.setAttribute("aria-pressed", String(isOn));
    if (isOn) {
      look.pause();
      take();
      isPlaying = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    } else {
      motion.stage(null);
    }
    look.changed();
  }

  // Take the angles of now: a slider may have changed them.
  function take() {
    if (steps === null) {
      return;
    }
    if (steps.row !== look.row() || look.isTimePlaying()) {
      setOn(false);
      return;
    }
    steps.sequence = look.sequence();
    steps.angles = [...motion.anglesAt(steps.row, look.time(), steps.sequence)];
    if (steps.angles.every(Number.isFinite)) {
      motion.stage({ row: steps.row, sequence: steps.sequence, angles: anglesNow(steps) });
    } else {
      setOn(false);
    }
  }

  /** @param {number} to @param {boolean} stays */
  function goTo(to, stays = false) {
    if (steps !== null) {
      steps.progress = clamp(to, 0, 3);
    }
    isPlaying = isPlaying && stays;
    look.changed();
  }

  // Let some seconds of the reader's time pass.
  /** @param {number} seconds */
  function pass(seconds) {
    if (steps === null) {
      return;
    }
    let to = steps.progress, remaining = seconds;
    while (remaining > 0 && to < 3) {
      const i = Math.floor(to), isTurned = Math.abs(steps.angles[order()[i]]) >= NO_TURN;
      const needed = isTurned ? (i + 1 - to) * SECONDS_PER_TURN : 0;
      to = needed > remaining ? to + remaining / SECONDS_PER_TURN : i + 1;
      remaining -= needed;
    }
    isPlaying = to < 3;
    goTo(to, true);
  }

  function togglePlay() {
    isPlaying = !isPlaying;
    goTo(isPlaying && progress() >= 3 ? 0 : progress(), true);
  }

  const back = () => goTo(Math.ceil(progress() - SETTLED) - 1);
  const on = () => goTo(Math.floor(progress() + SETTLED) + 1);

  // Return the sides that are shown, from left to right; the picture is divided between them.
  const sides = () => (steps === null ? ["active"] : SIDES[side.value]);

  // Return the camera of a side: on the passive side it moves with the frame, so that the parent turns back.
  /** @param {Camera} camera @param {string} of @returns {Camera} */
  function seen(camera, of) {
    const turns = steps === null || of === "active" ? null : placeTurns();
    if (turns === null) {
      return camera;
    }
    const { stages, now, origin } = turns;
    /** @param {Vector} v */
    const carry = (v) => [0, 1, 2].reduce((sum, k) => add(sum, scale(now[k], dot(v, stages[0][k]))), [0, 0, 0]);
    return {
      ...camera, position: add(origin, carry(subtract(camera.position, origin))),
      focal: add(origin, carry(subtract(camera.focal, origin))), up: carry(camera.up),
    };
  }

  // Return the frame that has arcs: the one that is shown turn by turn, or else the chosen one while it is turned by
  // hand. The arcs of the scene's own motion are hidden then.
  function turnedFrame() {
    if (steps !== null) {
      return { row: steps.row, sequence: steps.sequence, angles: anglesNow(steps) };
    }
    const row = look.row(), byHand = motion.turned.get(row);
    return byHand ? { row, ...byHand } : null;
  }

  // Return the turns in world, as they are drawn; null where there are none or the frame has no pose.
  function placeTurns() {
    const frame = turnedFrame();
    if (frame === null) {
      return null;
    }
    const { row, sequence, angles } = frame, states = motion.statesAt(look.time());
    if (!isPosed(states[row])) {
      return null;
    }
    const above = states[parents[row]].slice(0, 9), origin = states[row].slice(9, 12);
    const isFixed = steps !== null && kind.value === "fixed", length = file.frames[row].axis || file.grid;
    const stages = stagesOf(motion, frame, above, ORDERS[isFixed ? "fixed" : "moving"]);
    const circles = (isFixed ? fixedCirclesOf : circlesOf)(sequence, stages, origin, length);
    return { stages, now: stages[3], origin, length, angles, circles };
  }

  // Return the lines of the turns.
  /** @param {Theme} colors */
  function strips(colors) {
    const pen = makeStrips(), turns = placeTurns();
    if (turns === null) {
      return pen.strips;
    }
    const { stages, now, origin, length, angles, circles } = turns;
    /** @param {number} axis */
    const color = (axis) => String(colors[`axis_${"xyz"[axis]}`]);
    angles.forEach((angle, i) => {
      if (Math.abs(angle) >= NO_TURN) {
        drawArc(pen, circles[i], angle, color(circles[i].axis), origin);
      }
    });
    if (steps === null) {
      return pen.strips;
    }
    const turn = present();
    GHOST_OPACITIES.slice(0, turn + 1).forEach((opacity, j) => stages[j].forEach((direction, axis) => (
      pen.line(2.5, color(axis), opacity, origin, add(origin, scale(direction, GHOST_SHARE * length))))));
    if (turn >= 0) {
      const k = order()[turn], axis = axesIn(steps.sequence)[k];
      const along = stages[kind.value === "fixed" ? 0 : turn][axis];
      const ends = LIT_REACH.map((reach) => add(origin, scale(along, reach * length)));
      pen.line(8, color(axis), 0.28, ...ends);
      pen.line(1.5, color(axis), 1, ...ends);
      if (stateOf(turn) === "present") {
        drawRest(pen, circles[k], angles[k], steps.angles[k], String(colors.quiet));
      }
    }
    const tip = add(origin, scale(vectorOf(now), length));
    pen.line(3, String(colors.text), 1, origin, tip);
    return pen.strips;
  }

  // Return the turns that have letters and values; null where there are none.
  function lettered() {
    const turns = placeTurns();
    return turns && { ...turns, isStaged: steps !== null, last: steps === null ? 0 : present() + 1 };
  }

  // Write the bar.
  function show() {
    button.disabled = look.row() === 0;
    if (steps === null) {
      return;
    }
    const { angles } = steps, axes = axesIn(steps.sequence), turned = anglesNow(steps);
    const isFixed = kind.value === "fixed";
    chips.forEach((chip, i) => {
      const k = order()[i], letter = "xyz"[axes[k]], about = `about ${letter}${isFixed ? "" : PRIMES[i]}`;
      const [now, whole] = [turned[k], angles[k]].map(angleText);
      find(chip, ".about").textContent = about;
      find(chip, "output").textContent = now;
      chip.style.setProperty("--done", `${100 * share(i)}%`);
      chip.style.setProperty("--axis", `var(--axis-${letter}-text)`);
      chip.dataset.state = stateOf(i);
      chip.setAttribute("aria-label", `${about} ${now} of ${whole}, ${stateOf(i)}`);
      chip.title = `${GREEK[k]}, ${about}, ${whole}: to its end`;
    });
    range.value = String(steps.progress);
    range.style.setProperty("--done", `${(100 * steps.progress) / 3}%`);
    range.setAttribute("aria-valuetext", `${formatNumber(steps.progress, 2)} of 3 turns`);
    byId("staged-back", HTMLButtonElement).disabled = steps.progress <= 0;
    byId("staged-on", HTMLButtonElement).disabled = steps.progress >= 3;
    byId("staged-play").classList.toggle("is-playing", isPlaying);
    byId("staged-play").setAttribute("aria-label", isPlaying ? "Pause the turns" : "Play turn by turn");
    const T = motion.turnOf(steps.sequence, turned), inFrame = formatVector(EXAMPLE_VECTOR);
    const inParent = formatVector([0, 1, 2].map((k) => dot([T[k], T[3 + k], T[6 + k]], EXAMPLE_VECTOR)));
    const { name } = file.frames[steps.row], above = file.frames[parents[steps.row]].name;
    const [where, own] = isFixed ? [`about the axes of ${above}`, " about its own axes"] : [`in ${above}`, ""];
    showReading("active", axes, `Active: ${name} and v turn ${where}`, [`v₁ = R ${inFrame}`, `= ${inParent}`]);
    const passive = `Passive: ${above} turns back${own} around ${name} and v`;
    showReading("passive", axes, passive, [`v₂ = T ${inParent}`, `= ${inFrame}`]);
  }

  /** @param {Vector} v */
  const formatVector = (v) => `(${v.map((part) => formatNumber(part, 3)).join(", ")})`;

  // Write one side's sentence, product of turns and vectors.
  /** @param {string} of @param {number[]} axes @param {string} sentence @param {string[]} numbers */
  function showReading(of, axes, sentence, numbers) {
    const reading = find(bar, `[data-reading=${of}]`), letter = of === "active" ? "R" : "T";
    reading.hidden = !sides().includes(of);
    find(reading, ".sentence").textContent = sentence;
    find(reading, "output").replaceChildren(...numbers.flatMap((text, i) => {
      const part = document.createElement("span");
      part.textContent = text;
      return i > 0 ? [" ", part] : [part];  // lines break between vectors
    }));
    const factors = axes.map((axis, k) => {
      const i = order()[k];
      const part = document.createElement("span"), low = document.createElement("sub");
      low.textContent = "xyz"[axis];
      part.append(letter, low, `(${GREEK[k]})`);
      part.className = `factor is-${stateOf(i).replace(" ", "-")}${i === present() ? " is-lit" : ""}`;
      part.style.setProperty("--axis", `var(--axis-${"xyz"[axis]}-text)`);
      return part;
    });
    find(reading, ".formula").replaceChildren(`${letter} = `, ...(of === "active" ? factors : factors.reverse()));
  }

  button.addEventListener("click", () => setOn(steps === null));
  byId("staged-back").addEventListener("click", back);
  byId("staged-on").addEventListener("click", on);
  byId("staged-play").addEventListener("click", togglePlay);
  byId("staged-leave").addEventListener("click", () => {
    setOn(false);
    button.focus();
  });
  chips.forEach((chip, i) => chip.addEventListener("click", () => goTo(i + 1)));
  range.addEventListener("input", () => goTo(Number(range.value)));
  [side, kind].forEach((box) => box.addEventListener("change", look.changed));
  bar.addEventListener("keydown", (event) => {
    const action = event.key === "ArrowLeft" ? back : event.key === "ArrowRight" ? on : null;
    if (action !== null && event.target !== range && event.target !== side && event.target !== kind) {
      event.preventDefault();
      event.stopPropagation();
      action();
    }
  });

  return {
    take, sides, seen, strips, lettered, show, togglePlay, pass, leave: () => setOn(false),
    isOn: () => steps !== null,
    /** @returns {StagedState | null} */
    state: () => steps && { sequence: steps.sequence, progress: steps.progress, axes: kind.value, side: side.value },
    // Show the chosen frame after some turns, at rest.
    /** @param {StagedState} state */
    restore(state) {
      byId("hand-sequence", HTMLSelectElement).value = state.sequence;
      kind.value = state.axes;
      side.value = state.side;
      setOn(true);
      goTo(state.progress);
    },
    isPlaying: () => isPlaying,
  };
}

parts.makeStaged = makeStaged;
parts.makeStagedTags = makeStagedTags;
