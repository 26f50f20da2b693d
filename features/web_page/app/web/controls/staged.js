// A rotation turn by turn: how far it has come, the bar that says so, and what is drawn of it. Progress counts turns, from
// 0, the orientation of the parent, to 3, the frame as it stands. Active and passive differ in where the camera is. About
// the fixed axes of the parent the last angle of the sequence is turned first.

import { add, clamp, dot, fixed, scaled, subtract } from "../base/math.js";
import { motion } from "../base/motion.js";
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
const ORDERS = { moving: [0, 1, 2], fixed: [2, 1, 0] };  // which angle each turn is, and which turn each angle
const SIDES = { active: ["active"], passive: ["passive"], both: ["active", "passive"] };

function makeStaged(bar, button, look) {
  const find = (id) => bar.querySelector(`#${id}`);
  const chips = [...bar.querySelectorAll(".chip")], range = find("staged-progress"), side = find("staged-side"), kind = find("staged-axes");
  let step = null, isPlaying = false;  // step: row, sequence, angles, progress

  const share = (i) => clamp(step.progress - i, 0, 1);
  const order = () => ORDERS[kind.value];
  const turned = () => step.angles.map((angle, k) => angle * share(order()[k]));
  const present = () => clamp(Math.ceil(step.progress - SETTLED) - 1, -1, 2);
  const stateOf = (i) => (step.progress >= i + 1 - SETTLED ? "done" : i === present() ? "present" : "to come");
  const shownAngle = (angle) => fixed(angle * file.angles.factor, file.angles.sceneDecimals) + file.angles.sign;
  const parentOf = () => file.motion.parents[step.row];

  function setOn(isOn) {
    if (isOn === (step !== null)) {
      return;
    }
    step = isOn ? { row: look.row(), progress: 0 } : null;
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

  // The angles are those of now: a slider may change them meanwhile.
  function take() {
    if (step === null) {
      return;
    }
    if (step.row !== look.row() || look.isTimePlaying()) {
      setOn(false);
      return;
    }
    step.sequence = look.sequence();
    step.angles = [...motion.anglesAt(step.row, look.time(), step.sequence)];
    if (step.angles.every(Number.isFinite)) {
      motion.stage({ row: step.row, sequence: step.sequence, angles: turned() });
    } else {
      setOn(false);
    }
  }

  function goTo(progress, stays = false) {
    step.progress = clamp(progress, 0, 3);
    isPlaying = isPlaying && stays;
    look.changed();
  }

  function pass(seconds) {
    let { progress } = step, left = seconds;
    while (left > 0 && progress < 3) {
      const i = Math.floor(progress), needed = Math.abs(step.angles[order()[i]]) < NO_TURN ? 0 : (i + 1 - progress) * SECONDS_PER_TURN;
      progress = needed > left ? progress + left / SECONDS_PER_TURN : i + 1;
      left -= needed;
    }
    isPlaying = progress < 3;
    goTo(progress, true);
  }

  function togglePlay() {
    isPlaying = !isPlaying;
    goTo(isPlaying && step.progress >= 3 ? 0 : step.progress, true);
  }

  const back = () => goTo(Math.ceil(step.progress - SETTLED) - 1);
  const on = () => goTo(Math.floor(step.progress + SETTLED) + 1);

  // The sides that are shown, from left to right; the picture is divided between them.
  const sides = () => (step === null ? ["active"] : SIDES[side.value]);

  // What is seen where the frame is to stand, and its parent to turn back: the camera goes with the frame.
  function seen(camera, of) {
    if (step === null || of === "active") {
      return camera;
    }
    const { stages, now, origin } = placed();
    const carried = (v) => [0, 1, 2].reduce((sum, k) => add(sum, scaled(now[k], dot(v, stages[0][k]))), [0, 0, 0]);
    return {
      ...camera, position: add(origin, carried(subtract(camera.position, origin))),
      focal: add(origin, carried(subtract(camera.focal, origin))), up: carried(camera.up),
    };
  }

  // What has arcs: the frame that is shown turn by turn, or else the chosen one while a hand turns it. The arcs of the
  // scene's own motion are away then.
  function shown() {
    if (step !== null) {
      return { row: step.row, sequence: step.sequence, angles: turned() };
    }
    const row = look.row(), byHand = motion.turned.get(row);
    return byHand ? { row, ...byHand } : null;
  }

  function placed() {
    const { row, sequence, angles } = shown(), states = motion.statesAt(look.time());
    const above = states[file.motion.parents[row]].slice(0, 9), origin = states[row].slice(9, 12);
    const isFixed = step !== null && kind.value === "fixed", length = file.frames[row].axis || file.grid;
    const stages = stagesOf(sequence, angles, above, ORDERS[isFixed ? "fixed" : "moving"]);
    const circles = isFixed ? fixedCirclesOf(sequence, stages, origin, length) : circlesOf(sequence, stages, origin, length);
    return { stages, now: stages[3], origin, length, angles, circles };
  }

  const isPlaced = () => shown() !== null && motion.isPosed(motion.stateAt(shown().row, look.time()));

  function strips(colors) {
    const pen = makeStrips();
    if (!isPlaced()) {
      return pen.strips;
    }
    const { stages, now, origin, length, angles, circles } = placed(), color = (axis) => colors[`axis_${"xyz"[axis]}`];
    angles.forEach((angle, i) => (Math.abs(angle) < NO_TURN ? 0 : drawArc(pen, circles[i], angle, color(circles[i].axis), origin)));
    if (step === null) {
      return pen.strips;
    }
    const turn = present();
    GHOST_OPACITIES.slice(0, turn + 1).forEach((opacity, j) => stages[j].forEach((direction, axis) => (
      pen.line(2.5, color(axis), opacity, origin, add(origin, scaled(direction, GHOST_SHARE * length))))));
    if (turn >= 0) {
      const k = order()[turn], axis = axesIn(step.sequence)[k], along = stages[kind.value === "fixed" ? 0 : turn][axis];
      const ends = LIT_REACH.map((reach) => add(origin, scaled(along, reach * length)));
      pen.line(8, color(axis), 0.28, ...ends);
      pen.line(1.5, color(axis), 1, ...ends);
      if (stateOf(turn) === "present") {
        drawRest(pen, circles[k], turned()[k], step.angles[k], colors.quiet);
      }
    }
    const tip = add(origin, scaled(vectorOf(now), length));
    pen.line(3, colors.text, 1, origin, tip);
    return pen.strips;
  }

  // What letters and values are written at; null where there is nothing.
  const lettered = () => (isPlaced() ? { ...placed(), isStaged: step !== null, last: step === null ? 0 : present() + 1 } : null);

  // The bar, in words.
  function show() {
    button.disabled = look.row() === 0;
    if (step === null) {
      return;
    }
    const axes = axesIn(step.sequence), so = turned(), isFixed = kind.value === "fixed";
    chips.forEach((chip, i) => {
      const k = order()[i], letter = "xyz"[axes[k]], about = `about ${letter}${isFixed ? "" : PRIMES[i]}`;
      const [now, whole] = [so[k], step.angles[k]].map(shownAngle);
      chip.querySelector(".about").textContent = about;
      chip.querySelector("output").textContent = now;
      chip.style.setProperty("--done", `${100 * share(i)}%`);
      chip.style.setProperty("--axis", `var(--axis-${letter}-text)`);
      chip.dataset.state = stateOf(i);
      chip.setAttribute("aria-label", `${about} ${now} of ${whole}, ${stateOf(i)}`);
      chip.title = `${GREEK[k]}, ${about}, ${whole}: to its end`;
    });
    range.value = step.progress;
    range.style.setProperty("--done", `${(100 * step.progress) / 3}%`);
    range.setAttribute("aria-valuetext", `${fixed(step.progress, 2)} of 3 turns`);
    find("staged-back").disabled = step.progress <= 0;
    find("staged-on").disabled = step.progress >= 3;
    find("staged-play").classList.toggle("is-playing", isPlaying);
    find("staged-play").setAttribute("aria-label", isPlaying ? "Pause the turns" : "Play turn by turn");
    const T = motion.turnOf(step.sequence, so), inFrame = written(EXAMPLE_VECTOR);
    const inParent = written([0, 1, 2].map((k) => dot([T[k], T[3 + k], T[6 + k]], EXAMPLE_VECTOR)));
    const { name } = file.frames[step.row], above = file.frames[parentOf()].name;
    const [where, own] = isFixed ? [`about the axes of ${above}`, " about its own axes"] : [`in ${above}`, ""];
    showReading("active", axes, `Active: ${name} and v turn ${where}`, [`v₁ = R ${inFrame}`, `= ${inParent}`]);
    showReading("passive", axes, `Passive: ${above} turns back${own} around ${name} and v`, [`v₂ = T ${inParent}`, `= ${inFrame}`]);
  }

  const written = (v) => `(${v.map((part) => fixed(part, 3)).join(", ")})`;

  function showReading(of, axes, sentence, numbers) {
    const reading = bar.querySelector(`[data-reading=${of}]`), letter = of === "active" ? "R" : "T";
    reading.hidden = !sides().includes(of);
    reading.querySelector(".sentence").textContent = sentence;
    reading.querySelector("output").replaceChildren(...numbers.flatMap((text, i) => {
      const part = document.createElement("span");
      part.textContent = text;
      return i > 0 ? [" ", part] : [part];  // no line ends within a vector
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
    reading.querySelector(".formula").replaceChildren(`${letter} = `, ...(of === "active" ? factors : factors.reverse()));
  }

  button.addEventListener("click", () => setOn(step === null));
  find("staged-back").addEventListener("click", back);
  find("staged-on").addEventListener("click", on);
  find("staged-play").addEventListener("click", togglePlay);
  find("staged-leave").addEventListener("click", () => {
    setOn(false);
    button.focus();
  });
  chips.forEach((chip, i) => chip.addEventListener("click", () => goTo(i + 1)));
  range.addEventListener("input", () => goTo(Number(range.value)));
  [side, kind].forEach((box) => box.addEventListener("change", look.changed));
  bar.addEventListener("keydown", (event) => {
    const action = { ArrowLeft: back, ArrowRight: on }[event.key];
    if (action && ![range, side, kind].includes(event.target)) {
      event.preventDefault();
      event.stopPropagation();
      action();
    }
  });

  return {
    take, sides, seen, strips, lettered, show, togglePlay, pass, leave: () => setOn(false),
    isOn: () => step !== null,
    isPlaying: () => isPlaying,
  };
}

parts.makeStaged = makeStaged;
parts.makeStagedTags = makeStagedTags;
