// The page: it puts scene, picture, texts and controls together.

import { authoredCamera, projectionOf } from "./base/camera.js";
import { byId } from "./base/dom.js";
import { conjugate, formatNumber, multiply, rotationOf } from "./base/math.js";
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
import { showControls, toggleControls, toggleSliders } from "./controls/shown.js";
import { DECIMALS, makeTimeline } from "./controls/timeline.js";

const stage = byId("stage");
export const canvas = byId("canvas", HTMLCanvasElement);
export const root = document.documentElement;
const bounds = boundsOfAll();
/** @type {Camera | null} */
let ownCamera = null;  // set by hand; the camera is the scene's while there is none
let renderer = makeRenderer(canvas);
let isDirty = true;
/** @type {number | null} */
let lastFrame = null;  // when the picture was drawn last, ms

/** @type {ReturnType<typeof import("./base/host.js").makeHost> | null} */
let messages = null;  // of the page around

const cameraNow = () => ownCamera ?? authoredCamera(timeline.clock.time);
const sidesNow = () => staged?.sides() ?? ["active"];
/** @param {Camera} camera */
const projectionBy = (camera) => projectionOf(
  camera, Math.max(stage.clientWidth / sidesNow().length, 1), Math.max(stage.clientHeight, 1));
const projectionNow = () => projectionBy(cameraNow());
const touch = () => { isDirty = true; };
const readOuts = makeReadOuts(() => noteState());
export const halves = makeHalves(stage, chooseFrame, parts.makeStagedTags);
const timeline = makeTimeline(() => {
  touch();
  noteState();
});

const sliders = motion && parts.makeSliders
  ? parts.makeSliders(motion, () => readOuts.of.value, () => timeline.clock.time, turned) : null;

function turned() {
  touch();
  noteState();
  window.framescope?.turned?.();
}

const plots = makePlots(byId("plots"), {
  seek(time) {
    timeline.setPlaying(false);
    timeline.seek(time);
  },
});
const staged = motion && parts.makeStaged ? parts.makeStaged(motion, {
  row: () => motion?.rowOf.get(readOuts.of.value) ?? 0,
  sequence: () => byId("hand-sequence", HTMLSelectElement).value,
  time: () => timeline.clock.time,
  isTimePlaying: () => timeline.clock.isPlaying,
  pause: () => timeline.setPlaying(false),
  changed() {
    touch();
    noteState();
  },
}) : null;

/** @param {string} name @param {string | null} relative @param {string | null} resolved */
function chooseFrame(name, relative = null, resolved = null) {
  readOuts.choose(name, relative, resolved);
  sliders?.choose();
  halves.mark(name);
  touch();
  noteState();
}

/** @param {Camera | null} camera */
function takeCamera(camera) {
  ownCamera = camera;
  byId("reset", HTMLButtonElement).disabled = camera === null;
  byId("path").setAttribute("aria-pressed", String(camera === null));
  touch();
  noteState();
}

/** @param {PageState["camera"]} camera */
const setCamera = (camera) => takeCamera(camera && { ...authoredCamera(timeline.clock.time), ...camera });

/** @param {string} name */
export function showTheme(name) {
  root.dataset.theme = name;
  renderer?.setTheme(file.themes[name], name !== file.theme);
  touch();
}

// The theme of the reader's system is shown where the export names none, until the reader chooses one.
const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");
/** @param {boolean} isDark */
export const themeThatIs = (isDark) => (
  Object.keys(file.themes).find((name) => file.themes[name].is_dark === isDark) ?? file.theme);
let followsScheme = file.followsScheme;
let isThemeChosen = false;  // by the reader, or by an address

/** @param {string} name */
function setTheme(name) {
  followsScheme = false;
  showTheme(name);
  noteState();
}

darkScheme.addEventListener("change", () => (followsScheme ? showTheme(themeThatIs(darkScheme.matches)) : undefined));

const themeNow = () => file.themes[root.dataset.theme ?? file.theme];
function switchTheme() {
  isThemeChosen = true;
  setTheme(themeThatIs(!themeNow().is_dark));
}

/** @param {HTMLElement} button @param {(isOn: boolean) => void} apply */
function toggle(button, apply) {
  const isOn = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isOn));
  apply(isOn);
  touch();
}

/** @type {Record<string, () => void>} */
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
  sliders: toggleSliders,
  numbers: () => toggleControls(["readouts"]),
  plots: () => toggleControls(["plots"]),
  staged: () => {},  // its button does it
  full: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.()),
  keys: () => byId("keys", HTMLDialogElement).showModal(),
};
/** @type {Record<string, string>} */
const KEYS = {
  r: "reset", c: "path", n: "names", g: "grid", l: "large", t: "theme", h: "sliders", d: "numbers", p: "plots", s: "staged",
  f: "full", "?": "keys",
};
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("[data-action]");
for (const button of buttons) {
  button.addEventListener("click", () => actions[button.dataset.action ?? ""]());
}

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  const isTyping = target.closest("input:not([type=range]), select, dialog");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const isOnButton = target.closest("button");
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
    const action = KEYS[event.key.toLowerCase()], button = [...buttons].find((each) => each.dataset.action === action);
    if (button !== undefined && !button.disabled && !button.hidden) {
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
  byId("clock").textContent = formatNumber(time, DECIMALS);
  const theme = themeNow();
  const strips = staged?.strips(theme) ?? [], turned = staged?.lettered() ?? null;
  halves.divide(sides.length);
  sides.forEach((side, i) => {
    const projection = projectionBy(staged?.seen(cameraNow(), side) ?? cameraNow());
    const arrows = motion === null ? [] : sensorStrips(poses, theme, projection);
    renderer?.draw(projection, bounds, poses, time, [...strips, ...arrows], i);
    halves.place(i, time, poses, projection, turned);
  });
  readOuts.write(poses);
  sliders?.show(poses.touched ?? new Set());
  plots.show(time);
  staged?.show();
}

/** @param {string} address */
const stateNow = (address = "") => stateText({
  ...readOuts.names(), time: timeline.clock.time, camera: ownCamera, staged: staged?.state() ?? null,
  theme: isThemeChosen ? root.dataset.theme ?? null : null,
}, address);

// The address stays while the scene plays: browsers limit how often it changes.
let noting = 0;
const isWithin = window.parent !== window;  // a page within another one has no address of its own
const isInCourse = parts.makeMessages !== null || window.parent !== window.top;  // or else within a lesson alone
function noteState() {
  messages?.sendSoon("time", { time: timeline.clock.time, isPlaying: timeline.clock.isPlaying });
  clearTimeout(noting);
  noting = setTimeout(() => {
    if (!timeline.clock.isPlaying) {
      messages?.send("state", { state: stateNow() });
      if (!isWithin) {
        history.replaceState(null, "", `#${stateNow(location.hash.slice(1))}`);
      }
    }
  }, 300);
}

// Take the state of an address. Parameters and turns that it leaves out are as the scene has them, other things stay.
// Return the state.
/** @param {string} text */
function takeAddress(text) {
  const state = takeState(text), now = readOuts.names();
  staged?.leave();
  if (state.time !== null) {
    timeline.setPlaying(false);
    timeline.seek(state.time);
  }
  if (state.frame !== null || state.relative !== null || state.resolved !== null) {
    chooseFrame(state.frame ?? now.frame, state.relative, state.resolved);
  }
  sliders?.choose(true);
  if (state.camera !== null) {
    setCamera(state.camera);
  }
  if (state.theme !== null) {
    isThemeChosen = true;
    setTheme(state.theme);
  }
  if (state.staged !== null) {
    staged?.restore(state.staged);
  }
  touch();
  noteState();
  return state;
}

/** @param {number} now */
function drawFrame(now) {
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
  requestAnimationFrame(drawFrame);
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
  renderer?.showGrid(byId("grid").getAttribute("aria-pressed") === "true");
  showTheme(root.dataset.theme ?? file.theme);
});
/** @type {NodeListOf<HTMLElement>} */
const partsOfPath = document.querySelectorAll("#path, .of-path");
for (const part of partsOfPath) {
  part.hidden = !file.camera.hasPath;
}
readOuts.of.addEventListener("change", () => chooseFrame(readOuts.of.value));
const look = { projection: projectionNow, time: () => timeline.clock.time };
const grab = motion && parts.makeGrab ? parts.makeGrab(motion, look, (row) => {
  if (readOuts.of.value !== file.frames[row].name) {
    chooseFrame(file.frames[row].name);
  }
  timeline.setPlaying(false);
  turned();
}) : null;
attachHand(stage, { projection: projectionNow, take: takeCamera }, grab, isWithin && isInCourse);
new ResizeObserver(touch).observe(stage);
new ResizeObserver(touch).observe(byId("plots"));
byId("plots-shown").hidden = file.plots.length === 0;
byId("sliders-shown").hidden = motion === null;
byId("full").hidden = !document.fullscreenEnabled;
byId("staged").hidden = staged === null;
root.classList.toggle("is-interactive", motion !== null);
const isWide = window.innerWidth >= 720;
const usual = ["time", "view", ...(isWide ? ["angles", "parameters", "readouts"] : [])];
showControls(isWide && window.innerHeight >= 640 ? [...usual, "plots"] : usual);

// Show the page as the picture with some controls alone, or as a whole page.
/** @param {string[] | null} controls */
function showForm(controls) {
  if (controls !== null || root.classList.contains("is-embedded")) {
    root.classList.toggle("is-embedded", controls !== null);
    linkWhole();
    showControls(controls ?? usual);
  }
}

const linkWhole = () => byId("whole").setAttribute("href", `${location.href.split("#")[0]}#${stateNow()}`);
byId("whole").addEventListener("click", linkWhole);

// The functions that a page around this one may call: a lesson, whose steps are moments of this scene.
window.framescope = {
  time: () => timeline.clock.time,
  seek(time) {
    timeline.setPlaying(false);
    timeline.seek(time);
  },
  play(from, speed) {
    const list = byId("speed", HTMLSelectElement);
    list.value = [...list.options].map(({ value }) => value).find((value) => Number(value) === speed) ?? "1";
    timeline.seek(from);
    timeline.setPlaying(true);
  },
  // Restore the state of an address, with the camera of the scene if it has none.
  restore(state) {
    takeCamera(null);
    timeline.seek(file.start);
    motion?.turned.clear();
    sliders?.choose();
    takeAddress(state);
  },
  state: stateNow,
  setParameter(name, value) {
    motion?.setParameter(name, value);
    turned();
  },
  select: chooseFrame,
  setCamera,
  choose: chooseFrame,
  plots: plots.read,
  // Show some controls alone; for an answer by hand they are as small as they can be.
  show(names, isByHand) {
    root.classList.toggle("is-by-hand", isByHand);
    showControls(names);
  },
  setTheme,
  turn(name, sequence, angles) {
    motion?.turn(motion.rowOf.get(name) ?? 0, sequence, angles);
    sliders?.choose();
    touch();
  },
  // Return the orientation of a frame in another, by rows: it takes vectors of the frame into the other.
  orientation(name, relative) {
    const poses = posesAt(timeline.clock.time);
    const [from, to] = [relative, name].map((frameName) => (
      poses[file.frames.find((frame) => frame.name === frameName)?.node ?? -1] ?? ORIGIN));
    return rotationOf(multiply(conjugate(from.q), to.q));
  },
};
halves.mark(file.chosen);
takeCamera(null);
showTheme(followsScheme ? themeThatIs(darkScheme.matches) : file.theme);
sliders?.choose();
const first = takeState(location.hash.slice(1));
if (location.hash.length > 1) {
  showForm(takeAddress(location.hash.slice(1)).controls);
}
messages = parts.makeMessages?.(window.framescope, first.host) ?? null;
// The state is read from the link that was followed: noteState may have changed the address since.
window.addEventListener("hashchange", (event) => showForm(takeAddress(new URL(event.newURL).hash.slice(1)).controls));
if (first.time === null && first.staged === null && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
  timeline.setPlaying(true);
}
clearTimeout(noting);  // nothing has changed yet
requestAnimationFrame(drawFrame);
