// The plots of the scene: curves over time, a cursor, and scrubbing. Curves that the page computes are sampled anew
// after a change made by hand; the others are as they were exported.

import { svgPart } from "../base/dom.js";
import { clamp, formatNumber } from "../base/math.js";
import { motion } from "../base/motion.js";
import { DURATION, file, read } from "../base/scene.js";
import { placeNames } from "./end_names.js";

const SAMPLED = 240;  // times of a curve
const CHART = { left: 46, right: 8, top: 4, bottom: 18 };  // margins, pixels
const MOST_TICKS = 4;

// Return round numbers from low to high, about so many at most.
/** @param {number} low @param {number} high @param {number} most */
function ticksBetween(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9), count = Math.floor(high / step + 1e-9) - first + 1;
  return { step, ticks: Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step) };
}

// Return the values of a signal at a time. Angles go on from those of the sample before, `before`, on the same branch.
/** @param {Motion} motion @param {PlotSource} source @param {number} time @param {number[] | null} before */
function signalAt(motion, { kind, rows, sequence, factor, formula, parts, columns, isOwn }, time, before) {
  if (isOwn) {
    return motion.anglesAt(rows[0], time, sequence).map((angle) => angle / factor);
  }
  const [of, relative, resolved] = rows.map((row) => motion.stateAt(row, time));
  const relation = motion.relation(of, relative, resolved);
  if (kind === "angles") {
    const T = relation.slice(15, 24), to = before?.map((angle) => angle * factor);
    const angles = to ? motion.nearestAngles(T, sequence, to) : motion.branchOf(T, sequence);
    return angles.map((angle) => angle / factor);
  }
  const values = formula ? motion.valuesOf(formula, relation, parts) : relation;
  return columns.map((column) => values[column] / factor);
}

/** @param {string} color */
const inkOf = (color) => (color.startsWith("#") ? color : `var(--${color})`);

// Return the colour of text about a curve: the readable shade of an axis, or plain text.
/** @param {string} color */
const textInkOf = (color) => `var(--${color.startsWith("axis-") ? `${color}-text` : "text"})`;

const NAME_FONT = "11px Inter, sans-serif";
const ruler = document.createElement("canvas").getContext("2d");

/** @param {string} text */
function widthOf(text) {
  if (ruler === null) {
    return 7 * text.length;
  }
  ruler.font = NAME_FONT;
  return ruler.measureText(text).width + 1;
}

/** @param {HTMLElement} root @param {{ seek: (time: number) => void }} look */
export function makePlots(root, look) {
  const charts = file.plots.map(makeChart);
  /** @type {string | null} */
  let sampledState = null;

  /** @param {Plot} plot */
  function makeChart(plot) {
    const place = document.createElement("figure"), head = document.createElement("figcaption");
    const legend = document.createElement("div");
    const svg = svgPart("svg", { role: "img", "aria-label": `${plot.title}, ${plot.subtitle}` });
    const title = document.createElement("b"), about = document.createElement("small");
    title.textContent = plot.title;
    about.textContent = [plot.subtitle, plot.unit].filter(Boolean).join(", ");
    head.title = about.textContent;  // where there is no room for it
    head.append(title, " ", about);
    legend.className = "legend";
    const outputs = plot.curves.map(({ name, color, dash }) => {
      const entry = document.createElement("span"), key = svgPart("svg", {}), output = document.createElement("output");
      const line = svgPart("line", { x2: 20, y1: 1, y2: 1, "stroke-width": 2, "stroke-dasharray": dash.join(" ") });
      line.style.stroke = inkOf(color);
      key.append(line);
      entry.append(key, name, output);
      legend.append(entry);
      return output;
    });
    const note = document.createElement("p");
    note.className = "quiet";
    note.textContent = plot.note;
    note.hidden = !plot.note;
    place.append(head, legend, svg, note);
    root.append(place);
    /** @type {Float32Array} */
    const exported = plot.values ? read(plot.values) : new Float32Array(0);
    const chart = {
      plot, svg, outputs, place, exported,
      samples: /** @type {Samples} */ ({ times: [], curves: [] }),
      box: "",
      cursor: svgPart("line", {}),
      x: (/** @type {number} */ time) => time,
    };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      scrub(chart, event);
    });
    svg.addEventListener("pointermove", (event) => scrub(chart, event));
    return chart;
  }

  /** @typedef {{ times: number[], curves: ArrayLike<number>[] }} Samples */
  /** @typedef {ReturnType<typeof makeChart>} Chart */

  /** @param {Chart} chart @param {PointerEvent} event */
  function scrub(chart, event) {
    if (!chart.svg.hasPointerCapture(event.pointerId)) {
      return;
    }
    const { left, width } = chart.svg.getBoundingClientRect(), across = width - CHART.left - CHART.right;
    look.seek(file.start + (DURATION * clamp(event.clientX - left - CHART.left, 0, across)) / across);
  }

  // Return how the curves of a chart are computed now; null where they are as they were exported.
  /** @param {Chart} chart */
  function computation({ plot: { sources } }) {
    if (motion === null || sources === null || !(motion.isAway() || sources.every(({ isExact }) => isExact))) {
      return null;
    }
    return { motion, sources };
  }

  // Return times, and the values of each curve.
  /** @param {Chart} chart @returns {Samples} */
  function samplesOf(chart) {
    const { plot, exported } = chart, computed = computation(chart);
    if (computed === null) {
      const { start, stop, count } = plot;
      const times = Array.from({ length: count }, (_, i) => start + ((stop - start) * i) / (count - 1));
      return { times, curves: plot.curves.map((_, k) => exported.subarray(k * count, (k + 1) * count)) };
    }
    const times = Array.from({ length: SAMPLED }, (_, i) => file.start + (DURATION * i) / (SAMPLED - 1));
    /** @type {number[][]} */
    const curves = plot.curves.map(() => []);
    /** @type {number[][]} */
    const before = [];
    for (const time of times) {
      computed.sources.flatMap((source, i) => {
        before[i] = signalAt(computed.motion, source, time, before[i] ?? null);
        return before[i];
      }).forEach((value, k) => curves[k].push(value));
    }
    return { times, curves };
  }

  // Return the values at a time.
  /** @param {Chart} chart @param {number} time */
  function valuesAt(chart, time) {
    const { times, curves } = chart.samples;
    let k = 0;
    for (let high = times.length - 1; high - k > 1;) {
      const middle = (k + high) >> 1;
      if (times[middle] <= time) { k = middle; } else { high = middle; }
    }
    const computed = computation(chart);
    if (computed !== null) {
      let first = 0;
      return computed.sources.flatMap((source) => {
        const before = curves.slice(first, first + source.columns.length).map((curve) => curve[k]);
        first += source.columns.length;
        return signalAt(computed.motion, source, time, before);
      });
    }
    const f = clamp((time - times[k]) / (times[k + 1] - times[k]), 0, 1);
    return curves.map((curve) => (
      f === 0 ? curve[k] : f === 1 ? curve[k + 1] : curve[k] + (curve[k + 1] - curve[k]) * f));
  }

  // Return the lowest and the highest value of a chart, with some room.
  /** @param {Chart} chart */
  function rangeOf({ plot, samples }) {
    const most = plot.most ?? Infinity;
    let [low, high] = [Infinity, -Infinity];
    samples.curves.forEach((curve, k) => {
      const values = Array.from(curve).filter(Number.isFinite).map((value) => clamp(value, -most, most));
      const isZero = plot.zero.length > 0 && values.every((value) => Math.abs(value) <= plot.zero[k]);
      values.forEach((value) => {
        low = Math.min(low, isZero ? 0 : value);
        high = Math.max(high, isZero ? 0 : value);
      });
    });
    if (low > high) {
      return [-1, 1];
    }
    const isFlat = high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
    const pad = isFlat ? Math.max(0.5 * Math.abs(high), 0.5) : 0.06 * (high - low);
    return [low - pad, high + pad];
  }

  // Draw a chart anew.
  /** @param {Chart} chart */
  function lay(chart) {
    const { svg, plot } = chart, width = svg.clientWidth, height = svg.clientHeight;
    chart.samples = samplesOf(chart);
    const [low, high] = rangeOf(chart), { times, curves } = chart.samples;
    /** @param {number} time */
    const x = (time) => CHART.left + ((width - CHART.left - CHART.right) * (time - file.start)) / DURATION;
    /** @param {number} value */
    const y = (value) => CHART.top + ((height - CHART.top - CHART.bottom) * (high - value)) / (high - low);
    /** @type {SVGElement[]} */
    const parts = [];
    const { step, ticks } = ticksBetween(low, high, MOST_TICKS);
    /** @param {number} size */
    const decimals = (size) => clamp(-Math.floor(Math.log10(size) + 1e-9), 0, 8);
    for (const value of ticks) {
      const kind = Math.abs(value) < 1e-9 * step ? "zero" : "grid";
      const text = Math.abs(value) < 1e6 ? formatNumber(value, decimals(step)) : value.toExponential(0);
      parts.push(svgPart("line", { class: kind, x1: CHART.left, x2: width - CHART.right, y1: y(value), y2: y(value) }));
      parts.push(textAt(CHART.left - 5, y(value) + 4, "end", text));
    }
    const along = ticksBetween(file.start, file.stop, Math.max(2, (width - CHART.left) / 70));
    along.ticks.forEach((time) => (
      parts.push(textAt(x(time), height - 4, "middle", formatNumber(time, decimals(along.step))))));
    plot.curves.forEach(({ color, dash }, k) => {
      let path = "", isOn = false;
      times.forEach((time, i) => {
        const value = curves[k][i], isKnown = Number.isFinite(value);
        path += isKnown ? `${isOn ? "L" : "M"}${x(time).toFixed(1)} ${clamp(y(value), -1e4, 1e4).toFixed(1)}` : "";
        isOn = isKnown;
      });
      const line = svgPart("path", { d: path, class: "curve", "stroke-dasharray": dash.join(" ") });
      line.style.stroke = inkOf(color);
      parts.push(line);
    });
    parts.push(...namesAtEnds(chart, y));
    chart.cursor = svgPart("line", { class: "cursor", y1: CHART.top, y2: height - CHART.bottom });
    chart.x = x;
    svg.replaceChildren(...parts, chart.cursor);
    chart.place.classList.toggle("is-stale", motion !== null && motion.isAway() && computation(chart) === null);
  }

  // Return the names of the curves that have room at the right end.
  /** @param {Chart} chart @param {(value: number) => number} y */
  function namesAtEnds({ svg, plot, samples: { times, curves } }, y) {
    const width = Math.floor(svg.clientWidth - CHART.left - CHART.right);
    const height = svg.clientHeight - CHART.top - CHART.bottom, last = times.length - 1;
    const columns = Array.from({ length: Math.max(width, 0) }, (_, i) => {
      const time = file.start + (DURATION * (i + 1)) / width;
      const at = ((time - times[0]) / (times[last] - times[0])) * last;
      return clamp(Math.round(at), 0, last);
    });
    const down = curves.map((curve) => columns.map((i) => y(curve[i]) - CHART.top));
    const places = placeNames(down, plot.curves.map(({ name }) => widthOf(name)), height);
    return places.flatMap((place, k) => {
      if (place === null) {
        return [];
      }
      const label = textAt(CHART.left + place[0], CHART.top + place[1] + 11, "start", plot.curves[k].name);
      label.setAttribute("class", "end-name");
      label.style.fill = textInkOf(plot.curves[k].color);
      return [label];
    });
  }

  /** @param {number} x @param {number} y @param {string} anchor @param {string} text */
  function textAt(x, y, anchor, text) {
    const label = svgPart("text", { x, y, "text-anchor": anchor });
    label.textContent = text;
    return label;
  }

  // Return all changes made by hand as text: curves are sampled anew when it differs.
  const stateNow = () => (motion === null ? "" : JSON.stringify([motion.parameters, [...motion.turned]]));

  /** @param {number} time */
  function show(time) {
    if (root.offsetParent === null || charts.length === 0) {
      return;
    }
    const state = stateNow(), isNew = state !== sampledState, shown = motion?.staged() ?? null;
    sampledState = state;
    motion?.stage(null);  // plots are of the frame after all turns
    for (const chart of charts) {
      const size = `${chart.svg.clientWidth} ${chart.svg.clientHeight}`;
      if (isNew || chart.box !== size) {
        chart.box = size;
        lay(chart);
      }
      const at = chart.x(time);
      chart.cursor.setAttribute("x1", String(at));
      chart.cursor.setAttribute("x2", String(at));
      const values = valuesAt(chart, time);
      chart.outputs.forEach((output, k) => {
        output.textContent = Number.isFinite(values[k]) ? formatNumber(values[k], chart.plot.decimals ?? 3) : "–";
      });
    }
    motion?.stage(shown);
  }

  return {
    show,
    // Return the drawn curves: their times and values.
    read: () => charts.map((chart) => ({
      title: chart.plot.title, isComputed: computation(chart) !== null,
      times: [...chart.samples.times], curves: chart.samples.curves.map((curve) => Array.from(curve)),
    })),
  };
}
