// Names, letters, values and notes, as text over the picture. A tag is on its point; its plate is beside it.

import { add, rotate, clamp, dot, formatNumber, mix, scale } from "../base/math.js";
import { motion } from "../base/motion.js";
import { isAsExported, rowOfNode } from "../base/poses.js";
import { file, ORIGIN, valueAt } from "../base/scene.js";
import { computeArrow } from "./sensor_arrows.js";

const ALL_NAMES = 40;  // frames up to which all names are shown
const NEAREST_NAMES = 16;  // names shown of more frames: those of the nearest
const NAME_GAP = 12;  // pixels from an origin to the plate of its name
const LETTER_GAP = 11;
const VALUE_GAP = 9;
const ARC_GAP = 5;
const SHORTEST = 7;  // pixels of an arrow below which its value is hidden
const FAR = 26;  // pixels from a point to its plate above which a leader joins them
const NOTE_BESIDE = [34, 30];  // from a point to the corner of its note

// Return the texts over a picture: `layer` has the tags, `leaders` the lines to far plates, and plates keep off the
// `corners`.
/**
 * @param {Element} layer
 * @param {Element} leaders
 * @param {Iterable<HTMLElement>} corners
 * @param {(name: string) => void} choose
 */
export function makeLabels(layer, leaders, corners, choose) {
  const names = file.frames.filter((frame) => frame.hasLabel).map((frame) => {
    const label = tag("name", frame.name, "button");
    label.root.dataset.frame = frame.name;
    label.plate.tabIndex = -1;
    label.plate.addEventListener("click", () => choose(frame.name));
    return { ...label, frame };
  });
  const letters = file.frames.filter((frame) => frame.letters > 0).flatMap((frame) => [0, 1, 2].map((axis) => (
    { ...tag(`letter ${"xyz"[axis]}`, "xyz"[axis]), frame, axis })));
  const values = file.arrows.map((arrow) => {
    const parts = { symbol: arrow.symbol, of: arrow.name, number: "", unit: arrow.unit };
    return { ...valueTag(arrow, parts), arrow };
  });
  const arcs = file.arcs.map((arc) => ({ ...valueTag(arc, { symbol: arc.symbol, number: "" }), arc }));
  const notes = file.notes.map((note) => {
    const text = tag(`note is-${note.size}`, "");
    text.plate.innerHTML = note.html;  // the exporter makes it, and escapes all but formulas
    return { ...text, note };
  });
  let areNamesSeen = true;

  /** @typedef {typeof names[number]} NameTag */
  /** @typedef {typeof letters[number]} LetterTag */
  /** @typedef {typeof values[number]} ValueTag */
  /** @typedef {typeof arcs[number]} ArcTag */
  /** @typedef {typeof notes[number]} NoteTag */

  /** @param {string} kind @param {string} text @param {string} element @returns {Tag} */
  function tag(kind, text, element = "span") {
    const root = document.createElement("div"), plate = document.createElement(element);
    root.className = "tag";
    plate.className = kind;
    plate.textContent = text;
    root.append(plate);
    layer.append(root);
    const leader = document.createElementNS("http://www.w3.org/2000/svg", "line");
    leaders.append(leader);
    return { root, plate, leader, size: null };
  }

  // Return the tag of a value: its plate has parts, such as a symbol and a number.
  /** @param {Mark} mark @param {Record<string, string>} parts */
  function valueTag(mark, parts) {
    const value = tag("value", ""), number = document.createElement("span");
    value.plate.style.color = `var(--${mark.role}-text)`;
    for (const [kind, text] of Object.entries(parts)) {
      const part = kind === "number" ? number : document.createElement("span");
      part.className = kind;
      part.textContent = text;
      value.plate.append(part);
    }
    return { ...value, number };
  }

  // Write the number of a value; a text of another length has another size.
  /** @param {ValueTag | ArcTag} value @param {string} text */
  function writeNumber(value, text) {
    if (value.number.textContent?.length !== text.length) {
      value.size = null;
    }
    value.number.textContent = text;
  }

  /** @param {Frame} frame @param {Poses} poses */
  const poseOfFrame = (frame, poses) => (frame.node < 0 ? ORIGIN : poses[frame.node]);

  /** @param {Tag} label */
  function hide(label) {
    label.root.hidden = true;
    label.leader.setAttribute("visibility", "hidden");
  }

  /** @param {Tag} label */
  function sizeOf(label) {
    label.root.hidden = false;
    label.size ??= [label.plate.offsetWidth, label.plate.offsetHeight];
    return label.size;
  }

  // Return whether a place is in the picture, and before the camera.
  /** @param {Pixels} place @param {Projection} projection */
  const isInside = ([x, y, depth], { width, height }) => depth > 0 && x >= 0 && y >= 0 && x <= width && y <= height;

  // Place a name opposite to the sum of the axes as they appear, where it hides none of them.
  /** @param {NameTag} label @param {Poses} poses @param {Projection} projection @returns {PlacedTag | null} */
  function placeName(label, poses, projection) {
    const pose = poseOfFrame(label.frame, poses), at = projection.project(pose.p);
    if (!areNamesSeen || !pose.isSeen || !isInside(at, projection)) {
      return null;
    }
    const sum = [0, 3, 6].map((row) => pose.R[row] + pose.R[row + 1] + pose.R[row + 2]);
    let away = [-dot(projection.axes[0], sum), dot(projection.axes[1], sum) + 0.35];
    const size = sizeOf(label), { ringRadius } = label.frame;
    if (ringRadius) {  // outside the rings
      const radius = (ringRadius * projection.focalPixels) / at[2], reach = 1.12 * radius + size[0] / 2;
      return { label, at, size, radius, center: [at[0] - 0.8 * reach, at[1] - 0.6 * reach] };
    }
    const length = Math.hypot(...away);
    away = length > 1e-6 ? [away[0] / length, away[1] / length] : [0, 1];
    const reach = NAME_GAP + Math.max(Math.abs(away[0] * size[0]), Math.abs(away[1] * size[1])) / 2;
    return { label, at, size, center: [at[0] + away[0] * reach, at[1] + away[1] * reach] };
  }

  // Place the value of an arc beside its middle, away from its centre.
  /**
   * @param {ArcTag} label
   * @param {number} time
   * @param {Poses} poses
   * @param {Projection} projection
   * @returns {PlacedTag | null}
   */
  function placeArc(label, time, poses, projection) {
    const { arc } = label, pose = poses[arc.node], angle = valueAt(arc.v, time)[0];
    const at = projection.project(valueAt(arc.p, time)), from = projection.project(pose.p);
    if (!pose.isSeen || angle === 0 || !isInside(at, projection) || from[2] <= 0) {
      return null;
    }
    writeNumber(label, arcText(angle));
    const size = sizeOf(label), away = [at[0] - from[0], at[1] - from[1]], length = Math.hypot(...away);
    const along = length > 1e-6 ? [away[0] / length, away[1] / length] : [0, -1];
    const reach = ARC_GAP + Math.min(size[0] / 2 / Math.abs(along[0]), size[1] / 2 / Math.abs(along[1]));
    return { label, at, size, center: [at[0] + along[0] * reach, at[1] + along[1] * reach] };
  }

  // Place the value of an arrow at its tip.
  /**
   * @param {ValueTag} label
   * @param {number} time
   * @param {Poses} poses
   * @param {Projection} projection
   * @returns {PlacedTag | null}
   */
  function placeValue(label, time, poses, projection) {
    const { arrow } = label, { states = [], touched = new Set() } = poses;
    const computed = isAsExported(arrow, touched) ? undefined : computeArrow(arrow, states);
    if (computed === null) {
      return null;
    }
    const { foot, vector } = computed ?? { foot: valueAt(arrow.p, time), vector: valueAt(arrow.v, time) };
    const from = projection.project(foot), to = projection.project(add(foot, vector));
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!isInside(to, projection) || from[2] <= 0 || length < SHORTEST) {
      return null;
    }
    writeNumber(label, formatMagnitude(Math.hypot(...vector) * arrow.factor, arrow.isInDegrees));
    const size = sizeOf(label), along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const reach = VALUE_GAP + Math.min(size[0] / 2 / Math.abs(along[0]), size[1] / 2 / Math.abs(along[1]));
    return { label, at: to, size, center: [to[0] + along[0] * reach, to[1] + along[1] * reach] };
  }

  // Place a note at its place in the picture, where it stays, or beside its point.
  /**
   * @param {NoteTag} label
   * @param {number} time
   * @param {Poses} poses
   * @param {Projection} projection
   * @returns {PlacedTag | null}
   */
  function placeNote(label, time, poses, projection) {
    const { note } = label, { width, height } = projection;
    const pose = note.node === null ? null : poses[note.node] ?? ORIGIN;
    if (time < (note.start ?? -Infinity) || time > (note.end ?? Infinity) || pose?.isSeen === false) {
      return null;
    }
    const point = pose === null ? null : projection.project(add(pose.p, rotate(pose.R, note.r)));
    if (point !== null && (point[2] <= 0 || (note.at === null && !isInside(point, projection)))) {
      return null;
    }
    const size = sizeOf(label), { at } = note;
    if (at === null) {
      if (point === null) {
        return null;
      }
      const center = [point[0] + NOTE_BESIDE[0] + size[0] / 2, point[1] - NOTE_BESIDE[1] - size[1] / 2];
      return { label, at: point, size, center };
    }
    const center = [width, height].map((whole, i) => (
      clamp(at[i] * whole, size[i] / 2 + 4, Math.max(whole - size[i] / 2 - 4, size[i] / 2 + 4))));
    return { label, at: point ?? center, size, center, stays: true };
  }

  /** @param {LetterTag} label @param {Poses} poses @param {Projection} projection */
  function placeLetter(label, poses, projection) {
    const pose = poseOfFrame(label.frame, poses), axis = [0, 3, 6].map((row) => pose.R[row + label.axis]);
    const tip = projection.project(add(pose.p, scale(axis, label.frame.letters))), from = projection.project(pose.p);
    // Turns that are shown have letters of their own.
    const isStaged = rowOfNode.get(label.frame.node) === (motion?.staged()?.row ?? -1);
    if (!pose.isSeen || isStaged || !isInside(tip, projection) || from[2] <= 0) {
      hide(label);
      return;
    }
    const along = [tip[0] - from[0], tip[1] - from[1]], length = Math.hypot(...along);
    const whole = (label.frame.letters * projection.focalPixels) / from[2];
    const gap = LETTER_GAP + 0.08 * Math.max(whole - length, 0), blend = clamp(1 - length / gap, 0, 1);
    const shift = along.map((part, i) => (part / Math.max(length, 1)) * (1 - blend) + [0.7, -0.7][i] * blend);
    label.root.hidden = false;
    moveTo(label, tip, [tip[0] + shift[0] * gap, tip[1] + shift[1] * gap]);
  }

  /** @param {Tag} tag @param {Pixels} at @param {number[]} center */
  function moveTo({ root, plate }, at, center) {
    root.style.transform = `translate(${at[0].toFixed(2)}px, ${at[1].toFixed(2)}px)`;
    const [x, y] = [Math.round(center[0] - at[0]), Math.round(center[1] - at[1])];
    plate.style.transform = `translate(-50%, -50%) translate(${x}px, ${y}px)`;
  }

  // Return the controls over the picture: they do not move.
  /** @param {number} left @returns {Omit<PlacedTag, 'label' | 'at'>[]} */
  function fixturesOf(left) {
    return [...corners].filter((corner) => corner.offsetWidth > 0).map((corner) => {
      const size = [corner.offsetWidth, corner.offsetHeight];
      return { size, center: [corner.offsetLeft - left + size[0] / 2, corner.offsetTop + size[1] / 2] };
    });
  }

  // Push plates that overlap apart, by the shorter way, and keep them in the picture.
  /** @param {PlacedTag[]} placed @param {Projection} projection @param {number} left */
  function keepApart(placed, { width, height }, left) {
    const fixtures = fixturesOf(left);
    for (let round = 0; round < 24; round++) {
      let hasMoved = false;
      for (let i = 0; i < placed.length; i++) {
        for (const b of [...fixtures, ...placed.slice(0, i)]) {
          const a = placed[i], isControl = !("label" in b), isFixed = isControl || b.stays === true;
          if (a.stays && isFixed) {
            continue;
          }
          const gaps = [0, 1].map((axis) => (
            (a.size[axis] + b.size[axis]) / 2 + 4 - Math.abs(a.center[axis] - b.center[axis])));
          if (gaps[0] > 0 && gaps[1] > 0) {
            const axis = gaps[0] < gaps[1] ? 0 : 1, from = a.center[axis] - b.center[axis];
            // Off a control above or below, towards the middle: there may be another one at the edge.
            const side = isControl && axis === 1 ? (b.center[1] < height / 2 ? 1 : -1) : from >= 0 ? 1 : -1;
            const share = isFixed ? 1 : a.stays ? 0 : 0.5;
            a.center[axis] += share * (isFixed ? side * (gaps[axis] + Math.abs(from)) - from : side * gaps[axis]);
            b.center[axis] -= isFixed ? 0 : (1 - share) * side * gaps[axis];
            hasMoved = true;
          }
        }
      }
      for (const { center, size } of placed) {
        center[0] = clamp(center[0], size[0] / 2 + 4, width - size[0] / 2 - 4);
        center[1] = clamp(center[1], size[1] / 2 + 4, height - size[1] / 2 - 4);
      }
      if (!hasMoved) {
        return;
      }
    }
  }

  // Draw a line to a plate that is far off; it begins at the rings of a frame that has rings.
  /** @param {PlacedTag} placed */
  function lead({ label, at: origin, size, radius = 0, center }) {
    const whole = Math.max(Math.hypot(center[0] - origin[0], center[1] - origin[1]), 1e-6);
    const at = mix(origin.slice(0, 2), center, Math.min(radius / whole, 1));
    const away = [center[0] - at[0], center[1] - at[1]];
    const gap = Math.hypot(...[0, 1].map((axis) => Math.max(Math.abs(away[axis]) - size[axis] / 2, 0)));
    label.leader.setAttribute("visibility", gap > FAR ? "visible" : "hidden");
    if (gap > FAR) {
      const edge = Math.min(...[0, 1].map((axis) => size[axis] / 2 / Math.max(Math.abs(away[axis]), 1e-6)));
      const ends = { x1: at[0], y1: at[1], x2: center[0] - away[0] * edge, y2: center[1] - away[1] * edge };
      Object.entries(ends).forEach(([key, value]) => label.leader.setAttribute(key, value.toFixed(1)));
    }
  }

  // Return the names to show: all of them, or those of the nearest frames; hide the others.
  /** @param {Poses} poses @param {Projection} projection */
  function nearestNames(poses, projection) {
    if (names.length <= ALL_NAMES) {
      return names;
    }
    /** @param {NameTag} name */
    const depthOf = ({ frame }) => (frame.node < 0 ? -1 : projection.project(poseOfFrame(frame, poses).p)[2]);
    const order = names.map((name) => ({ name, depth: depthOf(name) }));
    const shown = order.sort((a, b) => a.depth - b.depth).slice(0, NEAREST_NAMES).map(({ name }) => name);
    names.forEach((name) => (shown.includes(name) ? undefined : hide(name)));
    return shown;
  }

  // Place all texts. Plates keep off `others`, which are placed already; the picture begins at `left`.
  /**
   * @param {number} time
   * @param {Poses} poses
   * @param {Projection} projection
   * @param {PlacedTag[]} others
   * @param {number} left
   */
  function place(time, poses, projection, others = [], left = 0) {
    letters.forEach((letter) => placeLetter(letter, poses, projection));
    const shown = nearestNames(poses, projection), placed = [...others];
    /** @param {Tag} label @param {PlacedTag | null} place */
    const addOrHide = (label, place) => (place ? placed.push(place) : hide(label));
    notes.forEach((note) => addOrHide(note, placeNote(note, time, poses, projection)));
    shown.forEach((name) => addOrHide(name, placeName(name, poses, projection)));
    values.forEach((value) => addOrHide(value, placeValue(value, time, poses, projection)));
    arcs.forEach((arc) => addOrHide(arc, placeArc(arc, time, poses, projection)));
    keepApart(placed, projection, left);
    placed.forEach((spot) => {
      moveTo(spot.label, spot.at, spot.center);
      lead(spot);
    });
  }

  return {
    place, tag, hide, sizeOf, moveTo,
    /** @param {string} name */
    mark: (name) => names.forEach(({ plate, frame }) => plate.classList.toggle("chosen", frame.name === name)),
    /** @param {boolean} areSeen */
    showNames(areSeen) {
      areNamesSeen = areSeen;
    },
    measureAgain: () => [...names, ...values, ...arcs, ...notes].forEach((label) => { label.size = null; }),
  };
}

// Return the text of an angle at its arc, with the whole turns beyond it.
/** @param {number} angle */
export function arcText(angle) {
  const whole = 2 * Math.PI, turns = Math.sign(angle) * Math.max(0, Math.ceil(Math.abs(angle) / whole - 1e-6) - 1);
  const text = formatNumber((angle - turns * whole) * file.angles.factor, file.angles.sceneDecimals) + file.angles.sign;
  return turns ? `${text} ${turns > 0 ? "+" : "\u2212"}${Math.abs(turns)}` : text;
}

// Return a number as text with three significant digits, or one decimal of degrees.
/** @param {number} value @param {boolean} isInDegrees */
function formatMagnitude(value, isInDegrees) {
  if (value >= 1e5 || (value > 0 && value < 1e-3 && !isInDegrees)) {
    return value.toExponential(1).replace("-", "\u2212").replace("+", "");
  }
  return value.toFixed(isInDegrees ? 1 : value === 0 ? 2 : Math.max(0, 2 - Math.floor(Math.log10(value))));
}
