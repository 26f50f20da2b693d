// Sliders: the angles of the chosen frame, by any sequence, and the parameters of the scene.

import { clamp, fixed } from "../base/math.js";
import { wordsOfAway } from "../base/measured.js";
import { motion, UNKNOWN } from "../base/motion.js";
import { file } from "../base/scene.js";
import { parts } from "./parts.js";

const HALF_TURN = 180;

function makeSliders(panel, chosen, timeNow, changed) {
  const find = (id) => panel.querySelector(`#${id}`);
  const sequence = find("hand-sequence"), back = find("hand-back"), note = find("hand-note"), reset = find("parameters-reset");
  const gauge = find("gauge"), rates = [...panel.querySelectorAll("#angle-rates output")];
  const degrees = (angle) => (angle * 180) / Math.PI;
  const rows = [0, 1, 2].map((i) => makeRow(find("hand-angles"), "αβγ"[i], `angle ${i + 1}`, "°", -HALF_TURN, HALF_TURN, (value) => {
    const angles = [...motion.anglesAt(row(), timeNow(), sequence.value)];
    angles[i] = (value * Math.PI) / 180;
    motion.turn(row(), sequence.value, angles);
    changed();
  }));
  const parameters = motion.names.map((name, i) => {
    const reach = 2 * Math.abs(motion.own[i]) || 1;
    const made = makeRow(find("parameters"), name, name, "", -reach, reach, (value) => {
      motion.parameters[i] = value;
      changed();
    });
    made.setEnabled(!motion.fixed.has(name));
    return made;
  });
  find("parameters-part").hidden = parameters.length === 0;
  find("fixed-note").hidden = motion.fixed.size === 0;

  const row = () => motion.rowOf.get(chosen());

  function makeRow(place, label, name, unit, low, high, take) {
    const root = document.createElement("div");
    root.className = "slider";
    const caption = document.createElement("span"), range = document.createElement("input"), entry = document.createElement("input");
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
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -15, PageUp: 15 }[event.key];
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
        entry.value = entry.dataset.shown;
        entry.blur();
      }
    });
    entry.addEventListener("blur", () => (read() ? changed() : entry.focus()));
    return {
      show(value) {
        const isKnown = Number.isFinite(value), within = unit ? value - 360 * Math.round(value / 360) : value;
        range.value = isKnown ? within : 0;
        const share = isKnown ? clamp((within - low) / (high - low), 0, 1) : 0.5;
        range.style.setProperty("--done", `${100 * share}%`);
        range.setAttribute("aria-valuetext", isKnown ? `${fixed(value, decimals)}${unit}` : "no value");
        if (document.activeElement !== entry) {
          entry.value = entry.dataset.shown = isKnown ? fixed(value, decimals) + unit : "–";
        }
      },
      setEnabled(isOn) {
        range.disabled = entry.disabled = !isOn;
      },
    };
  }

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

  // Another frame is chosen: its own sequence is, unless what is chosen is to stay.
  function choose(stays = false) {
    sequence.value = motion.turned.get(row())?.sequence ?? (stays ? sequence.value : file.frames[row()].sequence);
  }

  function show(touched) {
    const isWorld = row() === 0, angles = isWorld ? UNKNOWN : motion.anglesAt(row(), timeNow(), sequence.value);
    rows.forEach((each, i) => {
      each.setEnabled(!isWorld);
      each.show(degrees(angles[i]));
    });
    showNearness(isWorld ? null : angles);
    sequence.disabled = isWorld;
    back.disabled = !motion.turned.has(row());
    parameters.forEach((each, i) => each.show(motion.parameters[i]));
    reset.disabled = motion.parameters.every((value, i) => value === motion.own[i]);
    const away = wordsOfAway(touched);
    note.hidden = away === "";
    note.textContent = `Away while this is set: ${away}.`;
  }

  function showNearness(angles) {
    const [near, condition] = angles === null ? [NaN, NaN] : motion.nearness(sequence.value, angles);
    const isKnown = Number.isFinite(near), isProper = sequence.value[0] === sequence.value[2];
    gauge.firstElementChild.style.width = `${isKnown ? 100 * near : 0}%`;
    gauge.classList.toggle("is-near", near >= file.motion.near && near < file.motion.lock);
    gauge.classList.toggle("is-locked", near >= file.motion.lock);
    gauge.setAttribute("aria-valuenow", isKnown ? near.toFixed(4) : "0");
    find("gauge-name").textContent = isProper ? "|cos β|" : "|sin β|";
    find("gauge-value").textContent = isKnown ? fixed(near, 4) : "–";
    find("gauge-condition").textContent = condition > 1e4 ? (Number.isFinite(condition) ? condition.toExponential(1) : "∞")
      : isKnown ? fixed(condition, 2) : "–";
    const found = angles === null ? UNKNOWN : motion.ratesAt(row(), timeNow(), sequence.value, angles);
    rates.forEach((output, i) => {
      output.textContent = Number.isFinite(found[i]) ? fixed(found[i] * file.angles.factor, file.angles.decimals) : "–";
    });
  }

  choose();
  return { choose, show };
}

parts.makeSliders = makeSliders;
