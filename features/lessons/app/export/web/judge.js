// Judging of answers by the keys of the program: the right answer, and the answers of misconceptions.

import { fillGaps, findFault } from "./features.js";

const CLEAR_FIT = 0.4;
const OPPOSITE = "Your arrow points the other way along the same line, which is right, too.";

/** @param {string[]} texts */
const joinTexts = (...texts) => texts.filter(Boolean).join(" ");
// Return the lesson's own words on a right or a wrong answer.
/** @param {QuestionKey} key @param {boolean} isRight */
const byLesson = (key, isRight) => (isRight ? key.ifRight : key.ifWrong);
/** @param {number} degrees */
const degreesText = (degrees) => (degrees ? `It is ${degrees}° off.` : "");
/** @param {number} angle */
const missText = (angle) => degreesText(Math.round((angle * 180) / Math.PI));
/** @param {boolean} isRight @param {string} text @param {string[]} misconceptions @returns {Verdict} */
const verdictOf = (isRight, text, misconceptions = []) => ({ isRight, text, misconceptions });

// Return the angle between two orientations, nine numbers by rows.
/** @param {number[]} a @param {number[]} b */
function angleBetween(a, b) {
  /** @param {number} i @param {number} j */
  const E = (i, j) => a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
  const axial = Math.hypot(E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1));
  return Math.atan2(axial, E(0, 0) + E(1, 1) + E(2, 2) - 1);
}

// Return the angle between two directions, or between their lines.
/** @param {PointKey} key @param {number[]} a @param {number[]} b */
function directionsApart(key, a, b) {
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  const angle = Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  return key.eitherWay ? Math.min(angle, Math.PI - angle) : angle;
}

/** @param {ChoiceKey} key @param {number} chosen */
export function judgeChoice(key, chosen) {
  const option = key.options[chosen];
  return verdictOf(option.right, joinTexts(option.reply, byLesson(key, option.right)));
}

/** @param {NumberKey} key @param {number} answer */
export function judgeNumber(key, answer) {
  if (Math.abs(answer - key.value) <= key.tolerance) {
    return verdictOf(true, byLesson(key, true));
  }
  const meant = key.thoughts.find(({ value, within, period }) => {
    const turns = period ? Math.round((answer - value) / period) : 0;
    return Math.abs(answer - value - turns * (period ?? 0)) <= within;
  });
  if (meant) {
    return verdictOf(false, joinTexts(meant.says, byLesson(key, false)), [meant.name]);
  }
  const side = answer > key.value ? "It is less than that." : "It is more than that.";
  return verdictOf(false, joinTexts(side, byLesson(key, false)));
}

/** @param {TurnKey} key @param {number[]} answer */
export function judgeTurn(key, answer) {
  const off = angleBetween(key.right, answer), { close, fits, same } = key.limits;
  if (off <= key.tolerance) {
    return verdictOf(true, joinTexts(missText(off), byLesson(key, true)));
  }
  const apart = key.thoughts.map((thought) => ({ thought, off: angleBetween(thought.R, answer) }));
  apart.sort((a, b) => a.off - b.off);
  const best = apart.length ? apart[0].off : Infinity;
  const limit = Math.max(best + same, Math.min(best + close, fits));
  const near = best > fits || off < best ? [] : apart.filter((each) => each.off <= limit);
  const matches = near.map(({ thought }) => thought);
  const names = [...new Set(matches.map(({ name }) => name))];
  return verdictOf(false, joinTexts(missText(off), inWords(matches), byLesson(key, false)), names);
}

// Return the misconceptions that an answer fits, in words.
/** @param {{ says: string }[]} thoughts */
function inWords(thoughts) {
  const [first, ...others] = new Set(thoughts.map(({ says }) => says));
  if (first === undefined) {
    return "";
  }
  if (others.length === 0) {
    return `That is where it would be if ${first}.`;
  }
  const howMany = others.length === 1 ? "Both fit" : "Several fit";
  const all = [first, ...others.slice(0, 2)].join("; or if ");
  return `That is where it would be if ${all}. ${howMany} what you did.`;
}

/** @param {PointKey} key @param {number[]} answer */
export function judgePoint(key, answer) {
  const off = directionsApart(key, key.right, answer), { fits, same } = key.limits;
  if (off <= key.tolerance) {
    const along = key.right[0] * answer[0] + key.right[1] * answer[1] + key.right[2] * answer[2];
    return verdictOf(true, joinTexts(missText(off), key.eitherWay && along < 0 ? OPPOSITE : "", byLesson(key, true)));
  }
  const best = Math.min(...key.thoughts.map(({ v }) => directionsApart(key, v, answer)));
  const isNear = best <= Math.min(fits, off);
  const thought = key.thoughts.find(({ v }) => isNear && directionsApart(key, v, answer) <= best + same);
  if (thought === undefined) {
    return verdictOf(false, joinTexts(missText(off), byLesson(key, false)));
  }
  const says = thought.name === "misreading" ? thought.says : `That is where it would point if ${thought.says}.`;
  const text = joinTexts(missText(off), says, byLesson(key, false));
  return verdictOf(false, text, [thought.name]);
}

/** @param {SketchKey} key @param {number[]} answer */
export function judgeSketch(key, answer) {
  const known = key.right.map((value, i) => Number.isFinite(value) && Number.isFinite(answer[i]));
  const n = known.filter(Boolean).length;
  if (n < 0.6 * key.right.length) {
    return verdictOf(false, "Draw it over the whole time.");
  }
  const low = Math.min(...key.right), high = Math.max(...key.right);
  const scale = Math.max(high - low, 0.2 * Math.max(Math.abs(low), Math.abs(high)), 1e-12);
  /** @param {number[]} curve */
  const miss = (curve) => {
    const squares = curve.reduce((sum, value, i) => sum + (known[i] ? (value - answer[i]) ** 2 : 0), 0);
    return Math.sqrt(squares / n) / scale;
  };
  const off = miss(key.right), filled = fillGaps(answer);
  const fault = findFault(fillGaps(key.right), filled, key.tolerance, scale);
  const offText = `On average it is ${Math.round(100 * off)}% of the height of the curve away from it.`;
  if (off <= key.tolerance && fault === null) {
    return verdictOf(true, byLesson(key, true));
  }
  const limit = Math.min(key.tolerance, off);
  const near = key.thoughts.map((each) => ({ ...each, off: miss(each.values) })).filter((each) => each.off <= limit);
  near.sort((a, b) => a.off - b.off);
  const alike = near.find((each) => each.off <= CLEAR_FIT * limit
    || findFault(fillGaps(each.values), filled, key.tolerance, scale) === null);
  const best = alike ?? (fault === null ? near[0] : undefined);
  if (best) {
    return verdictOf(false, joinTexts(best.says, byLesson(key, false)), [best.name]);
  }
  if (fault) {
    return verdictOf(false, joinTexts(fault.text, byLesson(key, false)), [fault.name]);
  }
  return verdictOf(false, joinTexts(offText, byLesson(key, false)));
}
