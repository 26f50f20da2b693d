// The page: what is shown, when, and from where.

import { authoredCamera, projectionOf } from "./base/camera.js";
import { byId } from "./base/dom.js";
import { conjugate, fixed, multiplied, rotationOf } from "./base/math.js";
import { motion } from "./base/motion.js";
import { boundsOfAll, posesAt } from "./base/poses.js";
import { file, ORIGIN } from "./base/scene.js";
import { makeHalves } from "./drawing/halves.js";
import { makeRenderer } from "./drawing/renderer.js";
import { sensorStrips } from "./drawing/sensor_arrows.js";
import { stateText, takeState } from "./controls/address.js";
import { attachHand } from "./controls/hand.js";
import { parts } from "./controls/parts.js";
import { makePlots } from "./controls/plots.js";
import { makeReadOuts } from "./controls/readouts.js";
import { DECIMALS, makeTimeline } from "./controls/timeline.js";

const stage = byId("stage");
export const canvas = byId("canvas", HTMLCanvasElement);
export const root = document.documentElement;
const bounds = boundsOfAll();
let ownCamera = null;  // until a hand takes it, the camera is the scene's
let renderer = makeRenderer(canvas);
let isDirty = true;
let lastFrame = null;

const cameraNow = () => ownCamera ?? authoredCamera(timeline.clock.time);
const sidesNow = () => staged?.sides() ?? ["active"];
const projectionBy = (camera) => projectionOf(
  camera, Math.max(stage.clientWidth / sidesNow().length, 1), Math.max(stage.clientHeight, 1));
const projectionNow = () => projectionBy(cameraNow());
const touch = () => { isDirty = true; };
const readOuts = makeReadOuts(byId("panel"));
export const halves = makeHalves(stage, chooseFrame, parts.makeStagedTags);
const timeline = makeTimeline(byId("timeline"), () => {
  touch();
  noteState();
});

const sliders = parts.makeSliders?.(byId("panel"), () => readOuts.of.value, () => timeline.clock.time, () => {
  touch();
  noteState();
}) ?? null;

const plots = makePlots(byId("plots"), {
  seek(time) {
    timeline.setPlaying(false);
    timeline.seek(time);
  },
});
const staged = parts.makeStaged?.(byId("staged-bar"), byId("staged", HTMLButtonElement), {
  row: () => motion.rowOf.get(readOuts.of.value),
  sequence: () => byId("hand-sequence").value,
  time: () => timeline.clock.time,
  isTimePlaying: () => timeline.clock.isPlaying,
  pause: () => timeline.setPlaying(false),
  changed: touch,
}) ?? null;

function chooseFrame(name) {
  readOuts.choose(name);
  sliders?.choose();
  halves.mark(name);
  touch();
}

function takeCamera(camera) {
  ownCamera = camera;
  byId("reset").disabled = camera === null;
  byId("path").setAttribute("aria-pressed", String(camera === null));
  touch();
}

export function showTheme(name) {
  root.dataset.theme = name;
  renderer?.setTheme(file.themes[name], name !== file.theme);
  touch();
}

// Where no theme was asked for, that of the viewer is shown, until one is chosen.
const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");
export const themeThatIs = (isDark) => Object.keys(file.themes).find((name) => file.themes[name].is_dark === isDark);
let followsScheme = file.followsScheme;

function setTheme(name) {
  followsScheme = false;
  showTheme(name);
}

darkScheme.addEventListener("change", () => (followsScheme ? showTheme(themeThatIs(darkScheme.matches)) : undefined));

const switchTheme = () => setTheme(themeThatIs(!file.themes[root.dataset.theme].is_dark));

function toggle(button, apply) {
  const isOn = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isOn));
  apply(isOn);
  touch();
}

const actions = {
  reset: () => takeCamera(null),
  path: () => takeCamera(ownCamera === null ? authoredCamera(timeline.clock.time) : null),
  names: () => toggle(byId("names"), halves.showNames),
  grid: () => toggle(byId("grid"), (isSeen) => {
    renderer?.showGrid(isSeen);
    byId("grid-note").hidden = !isSeen;
  }),
  large: () => toggle(byId("large"), (isLarge) => {
    root.classList.toggle("is-large", isLarge);
    halves.measureAgain();
  }),
  theme: switchTheme,
  numbers: () => toggle(byId("numbers-shown"), (areSeen) => root.classList.toggle("has-panel", areSeen)),
  plots: () => toggle(byId("plots-shown"), (areSeen) => root.classList.toggle("has-plots", areSeen)),
  staged: () => {},  // its button does it
  full: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.()),
  keys: () => byId("keys").showModal(),
};
const KEYS = { r: "reset", c: "path", n: "names", g: "grid", l: "large", t: "theme", d: "numbers", p: "plots", s: "staged", f: "full", "?": "keys" };
for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => actions[button.dataset.action]());
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input:not([type=range]), select, dialog");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const isOnButton = event.target.closest("button");
  if (event.key === " " && !isOnButton) {
    if (staged?.isOn()) {
      staged.togglePlay();
    } else {
      timeline.setPlaying(!timeline.clock.isPlaying);
    }
  } else if (event.key === "Escape" && staged?.isOn()) {
    staged.leave();
  } else if (event.key === "," || event.key === ".") {
    timeline.stepBy(event.key === "," ? -1 : 1);
  } else if (event.key === "Home" || event.key === "End") {
    timeline.seek(event.key === "Home" ? file.start : file.stop);
  } else if (KEYS[event.key.toLowerCase()]) {
    const button = document.querySelector(`[data-action=${KEYS[event.key.toLowerCase()]}]`);
    if (!button.disabled && !button.hidden) {
      button.click();
    }
  } else {
    return;
  }
  event.preventDefault();
});

export function draw(ratio = window.devicePixelRatio || 1) {
  staged?.take();
  const time = timeline.clock.time, poses = posesAt(time), sides = sidesNow();
  const [width, height] = [stage.clientWidth, stage.clientHeight].map((side) => Math.round(Math.max(side, 1) * ratio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  byId("clock").textContent = fixed(time, DECIMALS);
  const theme = file.themes[root.dataset.theme];
  const strips = staged?.strips(theme) ?? [], turned = staged?.lettered() ?? null;
  halves.divide(sides.length);
  sides.forEach((side, i) => {
    const projection = projectionBy(staged?.seen(cameraNow(), side) ?? cameraNow());
    const arrows = motion === null ? [] : sensorStrips(poses, theme, projection);
    renderer?.draw(projection, bounds, poses, time, [...strips, ...arrows], i);
    halves.place(i, time, poses, projection, turned);
  });
  readOuts.write(poses);
  sliders?.show(poses.touched);
  plots.show(time);
  staged?.show();
}

// While it plays the address stays: browsers do not like it changed many times a second.
let noting = 0;
function noteState() {
  clearTimeout(noting);
  noting = setTimeout(() => {
    if (!timeline.clock.isPlaying && window.parent === window) {  // inside another page the address is that one's
      history.replaceState(null, "", `#${stateText(timeline.clock.time)}`);
    }
  }, 300);
}

function frame(now) {
  if (timeline.clock.isPlaying && lastFrame !== null) {
    timeline.pass(Math.min((now - lastFrame) / 1000, 0.25));
  }
  if (staged?.isPlaying() && lastFrame !== null) {
    staged.pass(Math.min((now - lastFrame) / 1000, 0.25));
  }
  lastFrame = now;
  if (isDirty) {
    isDirty = false;
    draw();
  }
  requestAnimationFrame(frame);
}

if (renderer === null) {
  byId("no-picture").hidden = false;
}
canvas.addEventListener("webglcontextlost", (event) => {
  event.preventDefault();
  renderer = null;
});
canvas.addEventListener("webglcontextrestored", () => {
  renderer = makeRenderer(canvas);
  renderer.showGrid(byId("grid").getAttribute("aria-pressed") === "true");
  showTheme(root.dataset.theme);
});
for (const each of document.querySelectorAll("#path, .of-path")) {
  each.hidden = !file.camera.hasPath;
}
readOuts.of.addEventListener("change", () => chooseFrame(readOuts.of.value));
const grab = parts.makeGrab?.({ projection: projectionNow, time: () => timeline.clock.time }, (row) => {
  if (readOuts.of.value !== file.frames[row].name) {
    chooseFrame(file.frames[row].name);
  }
  timeline.setPlaying(false);
  touch();
  noteState();
}) ?? null;
attachHand(stage, { projection: projectionNow, take: takeCamera }, grab);
new ResizeObserver(touch).observe(stage);
new ResizeObserver(touch).observe(byId("plots"));
if (window.innerWidth < 720) {
  byId("numbers-shown").click();
}
byId("plots-shown").hidden = file.plots.length === 0;
// A page within a lesson has the plots that its step speaks of.
const isWithin = window.parent !== window;
const isRoomy = window.innerWidth >= 720 && window.innerHeight >= 640;
if (!byId("plots-shown").hidden && (isRoomy || (isWithin && window.innerHeight >= 420))) {
  byId("plots-shown").click();
}
byId("staged").hidden = staged === null;
root.classList.toggle("is-interactive", motion !== null);
const startTime = takeState(location.hash.slice(1));
if (startTime !== null) {
  timeline.seek(startTime);
}
// The link that was followed, not what stands there now: noteState may have written since.
window.addEventListener("hashchange", (event) => {
  const time = takeState(new URL(event.newURL).hash.slice(1));
  if (time !== null) {
    timeline.setPlaying(false);
    timeline.seek(time);
  }
  sliders?.choose(true);
  touch();
  noteState();
});

// What a page around this one may ask for: a lesson, whose steps are moments of this scene.
window.framescope = {
  time: () => timeline.clock.time,
  seek(time) {
    timeline.setPlaying(false);
    timeline.seek(time);
  },
  play(from, speed) {
    byId("speed").value = [...byId("speed").options].map(({ value }) => value).find((value) => Number(value) === speed) ?? "1";
    timeline.seek(from);
    timeline.setPlaying(true);
  },
  // A state is that of an address, and all else as it was at first.
  restore(state) {
    staged?.leave();
    timeline.setPlaying(false);
    timeline.seek(takeState(state) ?? file.start);
    takeCamera(null);
    touch();
  },
  choose: chooseFrame,
  plots: plots.read,
  showPanel: (isSeen) => (isSeen === root.classList.contains("has-panel") ? undefined : byId("numbers-shown").click()),
  setTheme,
  turn(name, sequence, angles) {
    motion.turn(motion.rowOf.get(name), sequence, angles);
    sliders.choose();
    touch();
  },
  // The orientation of a frame in another, by rows: it takes vectors of the frame into the other.
  orientation(name, relative) {
    const poses = posesAt(timeline.clock.time);
    const [from, to] = [relative, name].map((each) => file.frames.find((one) => one.name === each).node).map((node) => (
      node < 0 ? ORIGIN : poses[node]));
    return rotationOf(multiplied(conjugate(from.q), to.q));
  },
};
halves.mark(file.chosen);
takeCamera(null);
showTheme(followsScheme ? themeThatIs(darkScheme.matches) : file.theme);
sliders?.choose();
if (startTime === null && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
  timeline.setPlaying(true);
}
requestAnimationFrame(frame);
