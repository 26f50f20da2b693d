// The lesson: its steps beside the scene, the questions, and the way through.

import { byId, svgPart } from "../../../../web_page/app/web/base/dom.js";
import { isNumber, isOrigin, makeHost } from "../../../../web_page/app/web/base/host.js";
import { faultIn, numberIn } from "./units.js";
import { judgeChoice, judgeNumber, judgePoint, judgeSketch, judgeTurn } from "./judge.js";

const SAMPLES = 120;  // values of a curve that is drawn as an answer
const root = document.documentElement;
/** @type {LessonFile} */
const lesson = JSON.parse(byId("lesson").textContent ?? "");
const steps = lesson.steps;
const frame = byId("frame", HTMLIFrameElement);
const reply = byId("reply");
let i = 0;  // the step that is shown
let shownScene = -1;
let hints = 0;  // how many have been asked for
let isLoaded = false;
let isAnswered = true;
/** @type {AnswerForm | null} */
let field = null;  // the form of the answer
/** @type {ReturnType<typeof makeHost> | null} */
let host = null;  // the page around
/** @type {number | null} */
let until = null;  // time at which the scene stops

/** @type {Record<string, number>} */
const ASIDE = { ArrowLeft: -1, ArrowRight: 1 };
/** @type {Record<string, number>} */
const UP = { ArrowUp: 1, ArrowDown: -1 };
/** @type {Record<string, number>} */
const PAGES = { PageDown: 1, PageUp: -1 };

// --- The scene

const api = () => frame.contentWindow?.framescope;

// Unpack the pages of the scenes, and the texts that they share.
/** @returns {Promise<LessonContents>} */
async function unpack() {
  if (typeof DecompressionStream === "undefined") {
    byId("scene").textContent = "This browser is too old for the scenes of the lesson: use one of 2023 or later.";
    return new Promise(() => {});
  }
  const bytes = Uint8Array.from(atob(lesson.packed), (sign) => sign.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  return JSON.parse(await text);
}
const contents = unpack();

/** @param {LessonContents} contents @param {number} scene */
const pageOf = ({ pages, blobs }, scene) => pages[scene].replace(/\{\{@(\d+)\}\}/g, (_, k) => blobs[Number(k)]);

// Show a scene, then act on it.
/** @param {number} scene @param {(scene: PageFace) => void} act */
function withScene(scene, act) {
  const loaded = api();
  if (scene === shownScene && isLoaded && loaded) {
    act(loaded);
    return;
  }
  shownScene = scene;
  isLoaded = false;
  contents.then((all) => {
    if (shownScene !== scene) {  // the reader has gone to another step
      return;
    }
    frame.onload = () => {
      isLoaded = true;
      frame.contentWindow?.addEventListener("keydown", onKey);
      const page = api();
      if (page) {
        page.setTheme(root.dataset.theme ?? "dark");
        page.turned = answerChanged;
        act(page);
        note();
      }
    };
    frame.srcdoc = pageOf(all, scene);
  });
}

/** @param {number} from @param {number} to @param {number} speed */
function play(from, to, speed = 1) {
  until = to;
  api()?.play(from, speed);
}

function watch() {
  const scene = api();
  if (until !== null && scene && scene.time() >= until - 1e-9) {
    scene.seek(until);
    until = null;
  }
  requestAnimationFrame(watch);
}

// Return whether the fonts lack the italic letters of formulas, which a browser takes for each single letter.
function lacksItalics() {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  /** @param {string} sign */
  const dotsOf = (sign) => {
    pen?.clearRect(0, 0, 30, 30);
    pen?.fillText(sign, 2, 20);
    return String(pen?.getImageData(0, 0, 30, 30).data);
  };
  return dotsOf("\u{1D461}") === dotsOf("\u{10FFFD}");  // t in italics, and a sign that no font has
}
const needsItalics = lacksItalics();

// Write a text of the program that may have formulas: it has made titles, texts and replies, with no HTML of the lesson.
/** @param {HTMLElement} place @param {string} html */
function write(place, html) {
  place.innerHTML = html;
  if (needsItalics) {
    place.querySelectorAll("mi").forEach((name) => name.classList.add([...name.textContent].length === 1 ? "letter" : "name"));
  }
}

// --- Steps

/** @param {number} number */
function go(number) {
  i = number;
  const step = steps[i];
  until = null;
  write(byId("title"), step.title);
  write(byId("text"), step.html);
  byId("count").textContent = `${i + 1} of ${steps.length}`;
  const progress = byId("progress");
  progress.setAttribute("aria-valuemax", String(steps.length));
  progress.setAttribute("aria-valuenow", String(i + 1));
  /** @type {HTMLElement} */ (progress.firstElementChild).style.width = `${(100 * (i + 1)) / steps.length}%`;
  byId("back", HTMLButtonElement).disabled = i === 0;
  hints = 0;
  ask(step.question);
  withScene(step.scene, (scene) => {
    scene.choose(step.choose);
    scene.restore(step.state);
    const isByHand = step.question !== null && "frame" in step.question;
    scene.show(["view", "time", "plots", ...(isByHand ? ["angles"] : [])], isByHand);
    if (!step.question) {
      letRun(step);
    }
  });
  root.classList.toggle("is-by-hand", step.question !== null && "frame" in step.question);
  root.classList.toggle("has-plots", step.hasPlots);
  byId("step").scrollTop = 0;
  byId("step").focus({ preventScroll: true });
  const address = addressNow();
  address.set("step", String(i + 1));
  history.replaceState(null, "", `#${address}`);
  host?.send("step", { step: i + 1 });
}

/** @param {LessonStep} step */
function letRun(step) {
  if (step.play) {
    play(step.time, step.play.to, step.play.speed);
  }
}

/** @param {number} by */
function stepBy(by) {
  if (i + by >= 0 && i + by < steps.length) {
    go(i + by);
  }
}

// --- Questions

/** @param {AnyKey | null} key */
function ask(key) {
  byId("question").hidden = !key;
  setAnswered(!key);
  say("", null);
  field = null;
  if (!key) {
    return;
  }
  write(byId("ask"), key.ask);
  byId("hint").hidden = key.hints.length === 0;
  const place = byId("answer");
  place.replaceChildren();
  field = formOf(key, place);
  note();
}

const note = () => { byId("check", HTMLButtonElement).disabled = field === null || !field.isThere(); };

// The answer has changed: a verdict on it is no longer true.
function answerChanged() {
  say("", null);
  note();
}

const TURN_THE_GHOST = "Turn the ghost: drag the tips of its axes in the picture, or use the sliders beside it.";
const TURN_THE_ARROW = "Turn the arrow: drag its tip in the picture, or use the sliders beside it.";

/** @param {AnyKey} key @param {HTMLElement} place @returns {AnswerForm} */
function formOf(key, place) {
  switch (key.form) {
    case "choose":
      return makeChoice(key, place);
    case "number":
      return makeNumber(key, place);
    case "sketch":
      return makeSketch(key, place);
    case "turn":
      return byHand(key, place, TURN_THE_GHOST, (scene) => judgeTurn(key, scene.orientation(key.frame, key.parent)));
    case "point":
      return byHand(key, place, TURN_THE_ARROW, (scene) => {
        const R = scene.orientation(key.frame, key.parent);
        return judgePoint(key, [R[0], R[3], R[6]]);
      });
  }
}

/** @param {ChoiceKey} key @param {HTMLElement} place @returns {AnswerForm} */
function makeChoice(key, place) {
  const boxes = key.options.map(({ text }, k) => {
    const label = document.createElement("label"), words = document.createElement("span");
    const box = document.createElement("input");
    Object.assign(box, { type: "radio", name: "option", value: String(k) });
    write(words, text);
    label.append(box, words);
    place.append(label);
    box.addEventListener("change", answerChanged);
    return box;
  });
  const chosen = () => boxes.findIndex((box) => box.checked);
  return {
    isThere: () => chosen() >= 0,
    judge: () => judgeChoice(key, chosen()),
    show() {
      const k = key.options.findIndex(({ right }) => right);
      boxes[k].checked = true;
      return key.options[k].reply;
    },
  };
}

/** @param {NumberKey} key @param {HTMLElement} place @returns {AnswerForm} */
function makeNumber(key, place) {
  const entry = document.createElement("input"), unit = document.createElement("span");
  Object.assign(entry, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  entry.setAttribute("aria-label", key.unit ? `your answer, in ${key.unit}` : "your answer");
  unit.className = "unit";
  unit.textContent = key.unit;
  const fault = document.createElement("p");
  fault.className = "fault";
  fault.setAttribute("role", "status");
  place.append(entry, unit, fault);
  entry.addEventListener("input", () => {
    fault.textContent = "";
    answerChanged();
  });
  entry.addEventListener("change", () => { fault.textContent = faultIn(key, entry.value); });  // Return, or out of it
  const value = () => numberIn(key, entry.value);
  return {
    isThere: () => Number.isFinite(value()),
    judge: () => judgeNumber(key, value()),
    show() {
      entry.value = String(key.value);
    },
  };
}

// Return the form of an answer that is set in the scene.
/**
 * @param {HandKey} key
 * @param {HTMLElement} place
 * @param {string} text
 * @param {(scene: PageFace) => Verdict} judge
 * @returns {AnswerForm}
 */
function byHand(key, place, text, judge) {
  const how = document.createElement("p");
  how.className = "how";
  how.textContent = text;
  place.append(how);
  return {
    isThere: () => api() !== undefined,
    judge: () => judge(/** @type {PageFace} */ (api())),
    show() {
      api()?.turn(key.frame, key.sequence, key.angles);
    },
    after() {
      if (key.at !== undefined && key.at !== null) {
        play(key.from, key.at);
      }
    },
  };
}

// A curve over time, drawn with the pointer, or point by point with the arrow keys.
/** @param {SketchKey} key @param {HTMLElement} place @returns {AnswerForm} */
function makeSketch(key, place) {
  const WIDTH = 400, HEIGHT = 180, POINTS = 9;
  const svg = svgPart("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", tabindex: 0, role: "application",
    "aria-label": "your curve: drag, or Left and Right for a point and Up and Down to move it, Delete to begin anew",
  });
  const zero = svgPart("line", { class: "zero" }), right = svgPart("polyline", { class: "right" });
  const drawn = svgPart("polyline", { class: "drawn" }), mark = svgPart("line", { class: "key" });
  const scales = svgPart("g", { class: "scales" });
  svg.append(scales, zero, right, drawn, mark);
  /** @param {number} value */
  const y = (value) => HEIGHT - ((value - key.low) / (key.high - key.low)) * HEIGHT;
  const labels = document.createElement("div");
  labels.className = "labels";
  /** @param {string} axis @param {Tick} tick @param {number} share */
  const addTick = (axis, { label }, share) => {
    const text = document.createElement("span"), percent = `${100 * share}%`;
    text.className = axis;
    text.textContent = label;
    text.style.setProperty(axis === "value" ? "top" : "left", percent);
    if (axis === "time") {  // the first and the last label stay inside
      text.style.setProperty("translate", share < 0.04 ? "0 0" : share > 0.94 ? "-100% 0" : "-50% 0");
    }
    labels.append(text);
  };
  for (const tick of key.ticks.values) {
    scales.append(svgPart("line", { x1: 0, x2: WIDTH, y1: y(tick.at), y2: y(tick.at) }));
    addTick("value", tick, y(tick.at) / HEIGHT);
  }
  for (const tick of key.ticks.times) {
    const share = (tick.at - key.start) / (key.end - key.start);
    scales.append(svgPart("line", { x1: share * WIDTH, x2: share * WIDTH, y1: 0, y2: HEIGHT }));
    addTick("time", tick, share);
  }
  Object.entries({ x2: WIDTH, y1: y(0), y2: y(0) }).forEach(([name, value]) => zero.setAttribute(name, String(value)));
  const caption = document.createElement("p");
  caption.className = "how";
  const [low, high] = [key.low, key.high].map((value) => String(+value.toPrecision(3)).replace("-", "−"));
  const space = key.unit.startsWith("°") ? "" : "\u00a0";
  caption.textContent = `From ${key.start} s to ${key.end} s, between ${low} and ${high}${space}${key.unit}.`;
  const canvas = document.createElement("div");
  canvas.className = "canvas";
  canvas.append(svg, labels);
  place.append(canvas, caption);
  /** @type {number[]} */
  let values = new Array(SAMPLES).fill(NaN);
  /** @type {number | null} */
  let last = null;  // the value that was drawn last
  let point = 0;
  /** @param {number[]} list */
  const points = (list) => list.map((value, k) => (
    Number.isFinite(value) ? `${(WIDTH * k) / (SAMPLES - 1)},${y(value)}` : "")).join(" ");
  const paint = () => {
    drawn.setAttribute("points", points(values));
    const x = (WIDTH * point) / (POINTS - 1);
    const ends = { x1: x, x2: x, y1: 0, y2: document.activeElement === svg ? HEIGHT : 0 };
    Object.entries(ends).forEach(([name, value]) => mark.setAttribute(name, String(value)));
    note();
  };
  /** @param {PointerEvent} event */
  const drawTo = (event) => {
    const box = svg.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    const value = key.high - Math.min(Math.max((event.clientY - box.top) / box.height, 0), 1) * (key.high - key.low);
    const k = Math.round(share * (SAMPLES - 1)), from = last ?? k;
    for (let j = Math.min(from, k); j <= Math.max(from, k); j++) {
      values[j] = from === k ? value : values[from] + ((value - values[from]) * (j - from)) / (k - from);
    }
    values[k] = value;
    last = k;
    paint();
    answerChanged();
  };
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    last = null;
    drawTo(event);
  });
  svg.addEventListener("pointermove", (event) => (event.buttons ? drawTo(event) : undefined));
  svg.addEventListener("focus", () => paint());
  svg.addEventListener("blur", () => paint());
  svg.addEventListener("keydown", (event) => {
    const aside = ASIDE[event.key], up = UP[event.key];
    if (aside) {
      point = Math.min(Math.max(point + aside, 0), POINTS - 1);
    } else if (up) {
      const places = Array.from({ length: POINTS }, (_, j) => Math.round((j * (SAMPLES - 1)) / (POINTS - 1)));
      const heights = places.map((k) => (Number.isFinite(values[k]) ? values[k] : (key.low + key.high) / 2));
      heights[point] = Math.min(Math.max(heights[point] + up * 0.05 * (key.high - key.low), key.low), key.high);
      values = values.map((_, k) => {
        const j = Math.min(Math.floor((k * (POINTS - 1)) / (SAMPLES - 1)), POINTS - 2);
        return heights[j] + ((heights[j + 1] - heights[j]) * (k - places[j])) / (places[j + 1] - places[j]);
      });
    } else if (event.key === "Delete" || event.key === "Backspace") {
      values.fill(NaN);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    paint();
    answerChanged();
  });
  return {
    isThere: () => values.some(Number.isFinite),
    judge: () => judgeSketch(key, values),
    /** @param {number[]} list */
    set(list) {
      values = [...list];
      paint();
    },
    show() {
      right.setAttribute("points", points(key.right));
    },
    after() {
      right.setAttribute("points", points(key.right));
      play(key.start, key.end);
    },
  };
}

/** @param {string} text @param {boolean | null} isRight */
function say(text, isRight) {
  write(reply, text);
  reply.className = isRight === null ? "" : isRight ? "is-right" : "is-wrong";
  if (text) {
    reply.scrollIntoView({ block: "nearest" });
  }
}

/** @param {boolean} isDone */
function setAnswered(isDone) {
  isAnswered = isDone;
  const isLast = i === steps.length - 1, next = byId("next", HTMLButtonElement);
  next.textContent = isDone ? "Next" : "Skip";
  next.disabled = isLast;
}

/** @param {boolean} isRight @param {string[]} misconceptions @param {boolean} isShown */
function sendAnswer(isRight, misconceptions, isShown) {
  const form = steps[i].question?.form;
  host?.send("answer", { step: i + 1, title: byId("title").textContent, form, isRight, misconceptions, hints, isShown });
}

function afterwards() {
  setAnswered(true);
  letRun(steps[i]);
  field?.after?.();
}

byId("question").addEventListener("submit", (event) => {
  event.preventDefault();
  if (field === null || !field.isThere()) {
    return;
  }
  const verdict = field.judge();
  say(verdict.text || (verdict.isRight ? "That is right." : "Not yet."), verdict.isRight);
  sendAnswer(verdict.isRight, verdict.misconceptions, false);
  if (verdict.isRight) {
    afterwards();
  }
});
byId("hint").addEventListener("click", () => {
  const list = steps[i].question?.hints ?? [];
  say(list[hints % list.length], null);
  hints += 1;
});
byId("show").addEventListener("click", () => {
  const words = field?.show() || steps[i].question?.ifRight;
  say(words || "This is the right answer.", true);
  sendAnswer(false, [], true);
  afterwards();
});

// --- The way through

byId("back").addEventListener("click", () => stepBy(-1));
byId("next").addEventListener("click", () => stepBy(1));
byId("again").addEventListener("click", () => go(i));
byId("theme").addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
byId("blank").addEventListener("click", () => { byId("blank").hidden = true; });

/** @param {string} name */
function setTheme(name) {
  root.dataset.theme = name;
  api()?.setTheme(name);
}

// Return whether an element takes typed text. It may be of the scene's window, which has classes of its own.
/** @param {any} target */
const isTyping = (target) => Boolean(target?.closest?.("input[type=text], select"));

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) {
    return;
  }
  const by = PAGES[event.key];
  if (by) {
    stepBy(by);
  } else if (event.key.toLowerCase() === "b") {
    byId("blank").hidden = !byId("blank").hidden;
  } else {
    return;
  }
  event.preventDefault();
}
document.addEventListener("keydown", onKey);

window.lesson = { go, step: () => i, isAnswered: () => isAnswered, field: () => field, scene: api };
window.judges = { choose: judgeChoice, number: judgeNumber, turn: judgeTurn, point: judgePoint, sketch: judgeSketch };
if (lesson.followsScheme && window.matchMedia) {
  setTheme(window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
}
requestAnimationFrame(watch);

/** @param {unknown} number */
const isStep = (number) => isNumber(number) && Number.isInteger(number) && number >= 1 && number <= steps.length;
const addressNow = () => new URLSearchParams(location.hash.slice(1));
const stepAsked = () => Number(addressNow().get("step") ?? NaN);
go(isStep(stepAsked()) ? stepAsked() - 1 : 0);
window.addEventListener("hashchange", () => (isStep(stepAsked()) && stepAsked() !== i + 1 ? go(stepAsked() - 1) : undefined));

const named = addressNow().get("host") ?? "";
host = makeHost(lesson.hosts, isOrigin(named) ? named : null, {
  // The student sees that answers are sent, and to whom.
  hello() {
    byId("sent").hidden = !host?.wants("answer");
    byId("sent").textContent = `Your answers are sent to ${host?.origin()}.`;
  },
  step: ({ number }) => (isStep(number) ? go(Number(number) - 1) : undefined),
  seek: ({ time }) => (isNumber(time) ? api()?.seek(time) : undefined),
  play({ from = api()?.time(), speed = 1 }) {
    if (isNumber(from) && isNumber(speed)) {
      api()?.play(from, speed);
    }
  },
  pause: () => api()?.seek(api()?.time() ?? 0),
}, () => ({ title: document.title, steps: steps.length, step: i + 1 }));
