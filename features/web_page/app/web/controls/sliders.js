// Sliders: the angles of the chosen frame, by any sequence, and the parameters of the scene.

import { byId } from "../base/dom.js";
import { clamp, formatNumber } from "../base/math.js";
import { wordsOfAway } from "../base/measured.js";
import { UNKNOWN } from "../base/motion.js";
import { file } from "../base/scene.js";
import { parts } from "./parts.js";

const HALF_TURN = 180;
/** @type {Record<string, number>} */
const STEPS_OF_ARROWS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -15, PageUp: 15 };

// Return the sliders. `chosen` gives the name of the frame, `timeNow` the time; `changed` is called after each change.
/** @param {Motion} motion @param {() => string} chosen @param {() => number} timeNow @param {() => void} changed */
export function makeSliders(motion, chosen, timeNow, changed) {
  const sequence = byId("hand-sequence", HTMLSelectElement), note = byId("hand-note"), gauge = byId("gauge");
  const back = byId("hand-back", HTMLButtonElement), reset = byId("parameters-reset", HTMLButtonElement);
  const bar = /** @type {HTMLElement} */ (gauge.firstElementChild);
  const rates = [...byId("angle-rates").querySelectorAll("output")];
  /** @param {number} angle */
  const degrees = (angle) => (angle * 180) / Math.PI;
  const rows = [0, 1, 2].map((i) => {
    /** @param {number} value */
    const take = (value) => {
      const angles = [...motion.anglesAt(row(), timeNow(), sequence.value)];
      angles[i] = (value * Math.PI) / 180;
      motion.turn(row(), sequence.value, angles);
      changed();
    };
    return makeSlider(byId("hand-angles"), "αβγ"[i], `angle ${i + 1}`, "°", -HALF_TURN, HALF_TURN, take, changed);
  });
  const parameters = motion.names.map((name, i) => {
    const reach = 2 * Math.abs(motion.own[i]) || 1;
    const slider = makeSlider(byId("parameters"), name, name, "", -reach, reach, (value) => {
      motion.parameters[i] = value;
      changed();
    }, changed);
    slider.setEnabled(!motion.fixed.has(name));
    return slider;
  });
  byId("parameters-part").hidden = parameters.length === 0;
  byId("fixed-note").hidden = motion.fixed.size === 0;

  const row = () => motion.rowOf.get(chosen()) ?? 0;
  const ownSequence = () => file.frames[row()].sequence;
  const { near: nearLock, lock } = file.motion ?? { near: 1, lock: 1 };

  sequence.addEventListener("change", () => {
    if (motion.turned.has(row())) {
      motion.turn(row(), sequence.value, [...motion.anglesAt(row(), timeNow(), sequence.value)]);
    }
    changed();
  });
  back.addEventListener("click", () => {
    motion.letGo(row());
    choose();
    changed();
  });
  reset.addEventListener("click", () => {
    motion.resetParameters();
    changed();
  });

  // Show the sequence of the chosen frame; with `stays`, keep the sequence of a frame that is not turned by hand.
  function choose(stays = false) {
    sequence.value = motion.turned.get(row())?.sequence ?? (stays ? sequence.value : ownSequence());
  }

  /** @param {Set<number>} touched */
  function show(touched) {
    const isWorld = row() === 0, angles = isWorld ? UNKNOWN : motion.anglesAt(row(), timeNow(), sequence.value);
    rows.forEach((slider, i) => {
      slider.setEnabled(!isWorld);
      slider.show(degrees(angles[i]));
    });
    showNearness(isWorld ? null : angles);
    sequence.disabled = isWorld;
    back.disabled = !motion.turned.has(row());
    parameters.forEach((slider, i) => slider.show(motion.parameters[i]));
    reset.disabled = motion.parameters.every((value, i) => value === motion.own[i]);
    const away = wordsOfAway(touched);
    note.hidden = away === "";
    note.textContent = `Away while this is set: ${away}.`;
  }

  // Show how near the angles are to the lock, and their rates.
  /** @param {Vector | null} angles */
  function showNearness(angles) {
    const [near, condition] = angles === null ? [NaN, NaN] : motion.nearness(sequence.value, angles);
    const isKnown = Number.isFinite(near), isProper = sequence.value[0] === sequence.value[2];
    bar.style.width = `${isKnown ? 100 * near : 0}%`;
    gauge.classList.toggle("is-near", near >= nearLock && near < lock);
    gauge.classList.toggle("is-locked", near >= lock);
    gauge.setAttribute("aria-valuenow", isKnown ? near.toFixed(4) : "0");
    byId("gauge-name").textContent = isProper ? "|cos β|" : "|sin β|";
    byId("gauge-value").textContent = isKnown ? formatNumber(near, 4) : "–";
    const large = Number.isFinite(condition) ? condition.toExponential(1) : "∞";
    byId("gauge-condition").textContent = condition > 1e4 ? large : isKnown ? formatNumber(condition, 2) : "–";
    const values = angles === null ? UNKNOWN : motion.ratesAt(row(), timeNow(), sequence.value, angles);
    rates.forEach((output, i) => {
      const { factor, decimals } = file.angles;
      output.textContent = Number.isFinite(values[i]) ? formatNumber(values[i] * factor, decimals) : "–";
    });
  }

  choose();
  return { choose, show };
}

// Return a slider with its entry. `take` is called with each value that the reader sets, `left` when the entry is left.
/**
 * @param {HTMLElement} place
 * @param {string} label
 * @param {string} name
 * @param {string} unit
 * @param {number} low
 * @param {number} high
 * @param {(value: number) => void} take
 * @param {() => void} left
 */
function makeSlider(place, label, name, unit, low, high, take, left) {
  const root = document.createElement("div");
  root.className = "slider";
  const caption = document.createElement("span");
  const range = document.createElement("input"), entry = document.createElement("input");
  caption.textContent = label;
  caption.title = name;
  Object.assign(range, { type: "range", min: low, max: high, step: "any" });
  Object.assign(entry, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  range.setAttribute("aria-label", name);
  entry.setAttribute("aria-label", `${name}${unit ? ", degrees" : ""}`);
  root.append(caption, range, entry);
  place.append(root);
  const decimals = unit ? 2 : clamp(2 - Math.floor(Math.log10(high - low)), 2, 8), step = unit ? 1 : (high - low) / 200;
  range.addEventListener("input", () => take(Number(range.value)));
  range.addEventListener("keydown", (event) => {
    const steps = STEPS_OF_ARROWS[event.key];
    if (steps) {
      event.preventDefault();
      event.stopPropagation();
      take(clamp(Number(range.value) + steps * step, low, high));
    }
  });
  function read() {
    if (entry.value === entry.dataset.shown) {
      return true;
    }
    const text = entry.value.replace(/°/g, "").replace(",", ".").replace(/\u2212/g, "-").trim();
    const isNumber = text !== "" && Number.isFinite(Number(text));
    entry.classList.toggle("is-wrong", !isNumber);
    entry.setAttribute("aria-invalid", String(!isNumber));
    entry.title = isNumber ? "" : "Expected a number, such as 1.5";
    if (isNumber) {
      take(Number(text));
    }
    return isNumber;
  }
  entry.addEventListener("focus", () => entry.select());
  entry.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && read()) {
      entry.blur();
    } else if (event.key === "Escape") {
      entry.value = entry.dataset.shown ?? "";
      entry.blur();
    }
  });
  entry.addEventListener("blur", () => (read() ? left() : entry.focus()));
  return {
    /** @param {number} value */
    show(value) {
      const isKnown = Number.isFinite(value), within = unit ? value - 360 * Math.round(value / 360) : value;
      range.value = String(isKnown ? within : 0);
      const share = isKnown ? clamp((within - low) / (high - low), 0, 1) : 0.5;
      range.style.setProperty("--done", `${100 * share}%`);
      range.setAttribute("aria-valuetext", isKnown ? `${formatNumber(value, decimals)}${unit}` : "no value");
      if (document.activeElement !== entry) {
        entry.value = entry.dataset.shown = isKnown ? formatNumber(value, decimals) + unit : "–";
      }
    },
    /** @param {boolean} isOn */
    setEnabled(isOn) {
      range.disabled = entry.disabled = !isOn;
    },
  };
}

parts.makeSliders = makeSliders;
