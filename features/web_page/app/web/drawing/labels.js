// Names, letters and values, as text over the picture. A tag stands on its point; its plate is moved off what it tells.

import { add, applied, clamp, dot, fixed, mixed, scaled } from "../base/math.js";
import { motion } from "../base/motion.js";
import { isAsExported, rowOfNode } from "../base/poses.js";
import { file, ORIGIN, valueAt } from "../base/scene.js";
import { computedArrow } from "./sensor_arrows.js";

const ALL_NAMES = 40;  // frames up to which all names are shown
const NEAREST_NAMES = 16;  // names shown of more frames: those of the nearest
const NAME_GAP = 12;  // pixels from an origin to the plate of its name
const LETTER_GAP = 11;
const VALUE_GAP = 9;
const ARC_GAP = 5;
const SHORTEST = 7;  // pixels of an arrow below which its value is hidden
const FAR = 26;  // pixels from a point to its plate above which a leader joins them
const NOTE_BESIDE = [34, 30];  // from a point to the corner of its note

export function makeLabels(layer, leaders, corners, choose) {
  const names = file.frames.filter((frame) => frame.hasLabel).map((frame) => {
    const made = tag("name", frame.name, "button");
    made.root.dataset.frame = frame.name;
    made.plate.tabIndex = -1;
    made.plate.addEventListener("click", () => choose(frame.name));
    return { ...made, frame };
  });
  const letters = file.frames.filter((frame) => frame.letters > 0).flatMap((frame) => [0, 1, 2].map((axis) => (
    { ...tag(`letter ${"xyz"[axis]}`, "xyz"[axis]), frame, axis })));
  const values = file.arrows.map((arrow) => {
    const made = tag("value", "");
    for (const [kind, text] of [["symbol", arrow.symbol], ["of", arrow.name], ["number", ""], ["unit", arrow.unit]]) {
      const part = document.createElement("span");
      part.className = kind;
      part.textContent = text;
      made.plate.append(part);
    }
    made.plate.style.color = `var(--${arrow.role}-text)`;
    return { ...made, arrow, number: made.plate.querySelector(".number") };
  });
  const arcs = file.arcs.map((arc) => {
    const made = tag("value", "");
    made.plate.style.color = `var(--${arc.role}-text)`;
    for (const [kind, text] of [["symbol", arc.symbol], ["number", ""]]) {
      const part = document.createElement("span");
      part.className = kind;
      part.textContent = text;
      made.plate.append(part);
    }
    return { ...made, arc, number: made.plate.querySelector(".number") };
  });
  const notes = file.notes.map((note) => {
    const made = tag(`note is-${note.size}`, "");
    made.plate.innerHTML = note.html;  // made by the exporter, which escapes what is no formula
    return { ...made, note };
  });
  let areNamesSeen = true;

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

  const poseOfFrame = (frame, poses) => (frame.node < 0 ? ORIGIN : poses[frame.node]);

  function hide(each) {
    each.root.hidden = true;
    each.leader.setAttribute("visibility", "hidden");
  }

  function sizeOf(each) {
    each.root.hidden = false;
    each.size ??= [each.plate.offsetWidth, each.plate.offsetHeight];
    return each.size;
  }

  const isInside = ([x, y, depth], { width, height }) => depth > 0 && x >= 0 && y >= 0 && x <= width && y <= height;

  // The place opposite to the sum of the axes as they appear, where a name hides none of them.
  function placedName(each, poses, projection) {
    const pose = poseOfFrame(each.frame, poses), at = projection.project(pose.p);
    if (!areNamesSeen || !pose.isSeen || !isInside(at, projection)) {
      return null;
    }
    const sum = [0, 3, 6].map((row) => pose.R[row] + pose.R[row + 1] + pose.R[row + 2]);
    let away = [-dot(projection.axes[0], sum), dot(projection.axes[1], sum) + 0.35];
    const size = sizeOf(each), { ringRadius } = each.frame;
    if (ringRadius) {  // outside the rings
      const radius = (ringRadius * projection.focalPixels) / at[2], reach = 1.12 * radius + size[0] / 2;
      return { each, at, size, radius, center: [at[0] - 0.8 * reach, at[1] - 0.6 * reach] };
    }
    const length = Math.hypot(...away);
    away = length > 1e-6 ? [away[0] / length, away[1] / length] : [0, 1];
    const reach = NAME_GAP + Math.max(Math.abs(away[0] * size[0]), Math.abs(away[1] * size[1])) / 2;
    return { each, at, size, center: [at[0] + away[0] * reach, at[1] + away[1] * reach] };
  }

  // Beside the middle of the arc, away from what it goes about.
  function placedArc(each, time, poses, projection) {
    const { arc } = each, pose = poses[arc.node], angle = valueAt(arc.v, time)[0];
    const at = projection.project(valueAt(arc.p, time)), from = projection.project(pose.p);
    if (!pose.isSeen || angle === 0 || !isInside(at, projection) || from[2] <= 0) {
      return null;
    }
    const text = arcText(angle);
    if (each.number.textContent.length !== text.length) {
      each.size = null;
    }
    each.number.textContent = text;
    const size = sizeOf(each), away = [at[0] - from[0], at[1] - from[1]], length = Math.hypot(...away);
    const along = length > 1e-6 ? [away[0] / length, away[1] / length] : [0, -1];
    const reach = ARC_GAP + Math.min(size[0] / 2 / Math.abs(along[0]), size[1] / 2 / Math.abs(along[1]));
    return { each, at, size, center: [at[0] + along[0] * reach, at[1] + along[1] * reach] };
  }

  function placedValue(each, time, poses, projection) {
    const { arrow } = each, touched = poses.touched ?? new Set();
    const computed = isAsExported(arrow, touched) ? undefined : computedArrow(arrow, poses.states);
    if (computed === null) {
      return null;
    }
    const { foot, vector } = computed ?? { foot: valueAt(arrow.p, time), vector: valueAt(arrow.v, time) };
    const from = projection.project(foot), to = projection.project(add(foot, vector));
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!isInside(to, projection) || from[2] <= 0 || length < SHORTEST) {
      return null;
    }
    const text = magnitude(Math.hypot(...vector) * arrow.factor, arrow.isInDegrees);
    if (each.number.textContent.length !== text.length) {
      each.size = null;
    }
    each.number.textContent = text;
    const size = sizeOf(each), along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const reach = VALUE_GAP + Math.min(size[0] / 2 / Math.abs(along[0]), size[1] / 2 / Math.abs(along[1]));
    return { each, at: to, size, center: [to[0] + along[0] * reach, to[1] + along[1] * reach] };
  }

  // At its place in the picture, where it stays, or beside the point that it tells of.
  function placedNote(each, time, poses, projection) {
    const { note } = each, { width, height } = projection, pose = note.node === null ? null : poses[note.node] ?? ORIGIN;
    if (time < (note.start ?? -Infinity) || time > (note.end ?? Infinity) || pose?.isSeen === false) {
      return null;
    }
    const point = pose === null ? null : projection.project(add(pose.p, applied(pose.R, note.r)));
    if (point !== null && (point[2] <= 0 || (note.at === null && !isInside(point, projection)))) {
      return null;
    }
    const size = sizeOf(each);
    if (note.at === null) {
      return { each, at: point, size, center: [point[0] + NOTE_BESIDE[0] + size[0] / 2, point[1] - NOTE_BESIDE[1] - size[1] / 2] };
    }
    const center = [width, height].map((whole, i) => clamp(note.at[i] * whole, size[i] / 2 + 4, Math.max(whole - size[i] / 2 - 4, size[i] / 2 + 4)));
    return { each, at: point ?? center, size, center, stays: true };
  }

  function placeLetter(each, poses, projection) {
    const pose = poseOfFrame(each.frame, poses), axis = [0, 3, 6].map((row) => pose.R[row + each.axis]);
    const tip = projection.project(add(pose.p, scaled(axis, each.frame.letters))), from = projection.project(pose.p);
    const isStaged = rowOfNode.get(each.frame.node) === (motion?.staged()?.row ?? -1);  // it has letters of its own
    if (!pose.isSeen || isStaged || !isInside(tip, projection) || from[2] <= 0) {
      return hide(each);
    }
    const along = [tip[0] - from[0], tip[1] - from[1]], length = Math.hypot(...along);
    const whole = (each.frame.letters * projection.focalPixels) / from[2];
    const gap = LETTER_GAP + 0.08 * Math.max(whole - length, 0), blend = clamp(1 - length / gap, 0, 1);
    const shift = along.map((part, i) => (part / Math.max(length, 1)) * (1 - blend) + [0.7, -0.7][i] * blend);
    each.root.hidden = false;
    moveTo(each, tip, [tip[0] + shift[0] * gap, tip[1] + shift[1] * gap]);
  }

  function moveTo({ root, plate }, at, center) {
    root.style.transform = `translate(${at[0].toFixed(2)}px, ${at[1].toFixed(2)}px)`;
    const [x, y] = [Math.round(center[0] - at[0]), Math.round(center[1] - at[1])];
    plate.style.transform = `translate(-50%, -50%) translate(${x}px, ${y}px)`;
  }

  // What stands over the picture, and does not move.
  function fixturesOf(left) {
    return [...corners].filter((corner) => corner.offsetWidth > 0).map((corner) => {
      const size = [corner.offsetWidth, corner.offsetHeight];
      return { size, center: [corner.offsetLeft - left + size[0] / 2, corner.offsetTop + size[1] / 2] };
    });
  }

  // Push plates that overlap apart, by the shorter way, and keep them in the picture.
  function keepApart(placed, { width, height }, left) {
    const fixtures = fixturesOf(left);
    for (let round = 0; round < 24; round++) {
      let hasMoved = false;
      for (let i = 0; i < placed.length; i++) {
        for (const b of [...fixtures, ...placed.slice(0, i)]) {
          const a = placed[i], isFixed = b.each === undefined || b.stays === true;
          if (a.stays && isFixed) {
            continue;
          }
          const gaps = [0, 1].map((axis) => (a.size[axis] + b.size[axis]) / 2 + 4 - Math.abs(a.center[axis] - b.center[axis]));
          if (gaps[0] > 0 && gaps[1] > 0) {
            const axis = gaps[0] < gaps[1] ? 0 : 1, side = a.center[axis] >= b.center[axis] ? 1 : -1;
            const share = isFixed ? 1 : a.stays ? 0 : 0.5;
            a.center[axis] += share * side * gaps[axis];
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

  // A line to a plate that lies far off; it begins at the rings of a frame that has some.
  function lead({ each, at: origin, size, radius = 0, center }) {
    const whole = Math.max(Math.hypot(center[0] - origin[0], center[1] - origin[1]), 1e-6);
    const at = mixed(origin.slice(0, 2), center, Math.min(radius / whole, 1));
    const away = [center[0] - at[0], center[1] - at[1]];
    const gap = Math.hypot(...[0, 1].map((axis) => Math.max(Math.abs(away[axis]) - size[axis] / 2, 0)));
    each.leader.setAttribute("visibility", gap > FAR ? "visible" : "hidden");
    if (gap > FAR) {
      const edge = Math.min(...[0, 1].map((axis) => size[axis] / 2 / Math.max(Math.abs(away[axis]), 1e-6)));
      const ends = { x1: at[0], y1: at[1], x2: center[0] - away[0] * edge, y2: center[1] - away[1] * edge };
      Object.entries(ends).forEach(([key, value]) => each.leader.setAttribute(key, value.toFixed(1)));
    }
  }

  // `others` are plates of something else, which are kept off those of here; `left` is where the picture begins.
  function place(time, poses, projection, others = [], left = 0) {
    letters.forEach((each) => placeLetter(each, poses, projection));
    let shown = names;
    if (names.length > ALL_NAMES) {
      const depth = (each) => projection.project(poseOfFrame(each.frame, poses).p)[2];
      const order = names.map((each) => ({ each, depth: each.frame.node < 0 ? -1 : depth(each) }));
      shown = order.sort((a, b) => a.depth - b.depth).slice(0, NEAREST_NAMES).map(({ each }) => each);
      names.forEach((each) => (shown.includes(each) ? 0 : hide(each)));
    }
    const placed = [...others];
    for (const each of [...notes, ...shown, ...values, ...arcs]) {
      const found = each.frame ? placedName(each, poses, projection)
        : (each.note ? placedNote : each.arc ? placedArc : placedValue)(each, time, poses, projection);
      if (found) {
        placed.push(found);
      } else {
        hide(each);
      }
    }
    keepApart(placed, projection, left);
    placed.forEach((found) => {
      moveTo(found.each, found.at, found.center);
      lead(found);
    });
  }

  return {
    place, tag, hide, sizeOf, moveTo,
    mark: (name) => names.forEach(({ plate, frame }) => plate.classList.toggle("chosen", frame.name === name)),
    showNames: (areSeen) => { areNamesSeen = areSeen; },
    measureAgain: () => [...names, ...values, ...arcs, ...notes].forEach((each) => { each.size = null; }),
  };
}

// An angle as it stands at its arc, with the whole turns beyond it.
export function arcText(angle) {
  const whole = 2 * Math.PI, turns = Math.sign(angle) * Math.max(0, Math.ceil(Math.abs(angle) / whole - 1e-6) - 1);
  const text = fixed((angle - turns * whole) * file.angles.factor, file.angles.sceneDecimals) + file.angles.sign;
  return turns ? `${text} ${turns > 0 ? "+" : "\u2212"}${Math.abs(turns)}` : text;
}

// Three digits that count, or one decimal of degrees.
function magnitude(value, isInDegrees) {
  if (value >= 1e5 || (value > 0 && value < 1e-3 && !isInDegrees)) {
    return value.toExponential(1).replace("-", "\u2212").replace("+", "");
  }
  return value.toFixed(isInDegrees ? 1 : value === 0 ? 2 : Math.max(0, 2 - Math.floor(Math.log10(value))));
}
