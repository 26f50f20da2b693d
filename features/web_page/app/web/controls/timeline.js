// The clock and what moves it.

import { clamp, fixed } from "../base/math.js";
import { DURATION, file } from "../base/scene.js";

export const DECIMALS = clamp(1 - Math.floor(Math.log10(DURATION)), 2, 6);
const STEP = Math.min(1 / 30, DURATION / 100);  // of the keys that go on a little

export function makeTimeline(bar, changed) {
  const find = (id) => bar.querySelector(`#${id}`);
  const [play, track, entry, speed, loop] = ["play", "track", "entry", "speed", "loop"].map(find);
  const clock = { time: file.start, isPlaying: false };
  track.min = file.start;
  track.max = file.stop;
  track.step = "any";
  find("end").textContent = `${fixed(file.stop, 2)} s`;

  function show() {
    const text = fixed(clock.time, DECIMALS);
    track.value = clock.time;
    track.style.setProperty("--done", `${(100 * (clock.time - file.start)) / DURATION}%`);
    track.setAttribute("aria-valuetext", `${text} seconds`);
    if (document.activeElement !== entry) {
      entry.value = text;
    }
    play.setAttribute("aria-label", clock.isPlaying ? "Pause" : "Play");
    play.title = clock.isPlaying ? "Pause (Space)" : "Play (Space)";
    play.classList.toggle("is-playing", clock.isPlaying);
  }

  function seek(time) {
    clock.time = clamp(time, file.start, file.stop);
    show();
    changed();
  }

  function setPlaying(isPlaying) {
    if (isPlaying && clock.time >= file.stop) {
      clock.time = file.start;
    }
    clock.isPlaying = isPlaying;
    show();
    changed();
  }

  // Let some seconds of the person who looks pass.
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
  find("to-start").addEventListener("click", () => seek(file.start));
  find("to-end").addEventListener("click", () => seek(file.stop));
  track.addEventListener("input", () => seek(Number(track.value)));
  track.addEventListener("keydown", (event) => {  // an arrow goes on by a step
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (steps) {
      event.preventDefault();
      event.stopPropagation();
      stepBy(steps);
    }
  });
  loop.addEventListener("click", () => loop.setAttribute("aria-pressed", String(loop.getAttribute("aria-pressed") !== "true")));
  entry.addEventListener("focus", () => {
    setPlaying(false);
    entry.select();
  });
  entry.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && takeEntry()) {
      entry.blur();
    } else if (event.key === "Escape") {
      entry.value = fixed(clock.time, DECIMALS);
      entry.blur();
    }
  });
  entry.addEventListener("blur", () => (takeEntry() ? show() : entry.focus()));
  show();
  return { clock, seek, setPlaying, pass, stepBy };
}
