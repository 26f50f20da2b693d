// Controls that a page shows or puts away, by name.

import { byId } from "../base/dom.js";
import { motion } from "../base/motion.js";
import { file } from "../base/scene.js";

export const CONTROLS = ["time", "angles", "parameters", "readouts", "plots", "view"];
const PANEL = ["angles", "parameters", "readouts"];
const SLIDERS = ["angles", "parameters"];
const classes = document.documentElement.classList;

/** @param {string} name */
const isShown = (name) => classes.contains(`has-${name}`);

// Return whether this page has a control.
/** @param {string} name */
const has = (name) => (name === "plots" ? file.plots.length > 0 : !SLIDERS.includes(name) || motion !== null);

// Show some controls, and put the others away.
/** @param {string[]} names */
export function showControls(names) {
  CONTROLS.forEach((name) => classes.toggle(`has-${name}`, names.includes(name) && has(name)));
  classes.toggle("has-panel", PANEL.some(isShown));
  /** @type {[string, string[]][]} */
  const toggles = [["sliders-shown", SLIDERS], ["numbers-shown", ["readouts"]], ["plots-shown", ["plots"]]];
  toggles.forEach(([id, of]) => byId(id).setAttribute("aria-pressed", String(of.some(isShown))));
}

// Show some controls if none of them is shown, or else put them away.
/** @param {string[]} names */
export function toggleControls(names) {
  const others = CONTROLS.filter((name) => isShown(name) && !names.includes(name));
  showControls(names.some(isShown) ? others : [...others, ...names]);
}

export const toggleSliders = () => toggleControls(SLIDERS);
