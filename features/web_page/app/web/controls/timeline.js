// The clock of a page and the controls of its timeline.

import { byId } from "../base/dom.js";
import { clamp, formatNumber } from "../base/math.js";
import { DURATION, file } from "../base/scene.js";

export const DECIMALS = clamp(1 - Math.floor(Math.log10(DURATION)), 2, 6);
const STEP = Math.min(1 / 30, DURATION / 100);  // of the keys , and .
/** @type {Record<string, number>} */
const STEPS_OF_KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

/** @param {() => void} changed */
export function makeTimeline(changed) {
  const play = byId("play"), loop = byId("loop"), speed = byId("speed", HTMLSelectElement);
  const track = byId("track", HTMLInputElement), entry = byId("entry", HTMLInputElement);
  const clock = { time: file.start, isPlaying: false };
  Object.assign(track, { min: file.start, max: file.stop, step: "any" });
  byId("end").textContent = `${formatNumber(file.stop, 2)} s`;

  function show() {
    const text = formatNumber(clock.time, DECIMALS);
    track.value = String(clock.time);
    track.style.setProperty("--done", `${(100 * (clock.time - file.start)) / DURATION}%`);
    track.setAttribute("aria-valuetext", `${text} seconds`);
    if (document.activeElement !== entry) {
      entry.value = text;
    }
    play.setAttribute("aria-label", clock.isPlaying ? "Pause" : "Play");
    play.title = clock.isPlaying ? "Pause (Space)" : "Play (Space)";
    play.classList.toggle("is-playing", clock.isPlaying);
  }

  /** @param {number} time */
  function seek(time) {
    clock.time = clamp(time, file.start, file.stop);
    show();
    changed();
  }

  /** @param {boolean} isPlaying */
  function setPlaying(isPlaying) {
    if (isPlaying && clock.time >= file.stop) {
      clock.time = file.start;
    }
    clock.isPlaying = isPlaying;
    show();
    changed();
  }

  // Let some seconds of the reader's time pass.
  /** @param {number} seconds */
  function pass(seconds) {
    const time = clock.time + seconds * Number(speed.value);
    if (time < file.stop) {
      seek(time);
    } else if (loop.getAttribute("aria-pressed") === "true") {
      seek(file.start + ((time - file.start) % DURATION));
    } else {
      seek(file.stop);
      setPlaying(false);
    }
  }

  /** @param {number} steps */
  function stepBy(steps) {
    setPlaying(false);
    seek(file.start + Math.round((clock.time - file.start) / STEP + steps) * STEP);
  }

  function takeEntry() {
    const text = entry.value.replace(/\s*s\s*$/, "").replace(",", ".").replace("\u2212", "-").trim();
    const isTime = text !== "" && Number.isFinite(Number(text));
    entry.classList.toggle("is-wrong", !isTime);
    entry.setAttribute("aria-invalid", String(!isTime));
    entry.title = isTime ? "Time, s" : "Expected a time in seconds, such as 1.5";
    if (isTime) {
      seek(Number(text));
    }
    return isTime;
  }

  play.addEventListener("click", () => setPlaying(!clock.isPlaying));
  byId("to-start").addEventListener("click", () => seek(file.start));
  byId("to-end").addEventListener("click", () => seek(file.stop));
  track.addEventListener("input", () => seek(Number(track.value)));
  track.addEventListener("keydown", (event) => {  // an arrow key moves by a step
    const steps = STEPS_OF_KEYS[event.key];
    if (steps) {
      event.preventDefault();
      event.stopPropagation();
      stepBy(steps);
    }
  });
  loop.addEventListener("click", () => {
    loop.setAttribute("aria-pressed", String(loop.getAttribute("aria-pressed") !== "true"));
  });
  entry.addEventListener("focus", () => {
    setPlaying(false);
    entry.select();
  });
  entry.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && takeEntry()) {
      entry.blur();
    } else if (event.key === "Escape") {
      entry.value = formatNumber(clock.time, DECIMALS);
      entry.blur();
    }
  });
  entry.addEventListener("blur", () => (takeEntry() ? show() : entry.focus()));
  show();
  return { clock, seek, setPlaying, pass, stepBy };
}
