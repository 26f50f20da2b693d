// The plots of the scene: curves over time, the cursor in them, and scrubbing. What the page computes is sampled anew when
// a hand has changed something; the rest is as it was exported.

const SAMPLED = 240, CHART = { left: 46, right: 8, top: 4, bottom: 18 }, MOST_TICKS = 4;

const svgPart = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  return made;
};

// Round numbers from low to high, at most about so many.
function ticksBetween(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((each) => each >= rough);
  const first = Math.ceil(low / step - 1e-9), count = Math.floor(high / step + 1e-9) - first + 1;
  return { step, ticks: Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step) };
}

// The values of one signal at a time; `before` are those of the sample before it, on whose branch angles go on.
function signalAt({ kind, rows, sequence, factor, formula, columns, isOwn }, time, before) {
  if (isOwn) {
    return motion.anglesAt(rows[0], time, sequence).map((angle) => angle / factor);
  }
  const found = motion.relation(...rows.map((row) => motion.stateAt(row, time)));
  if (kind === "angles") {
    const T = found.slice(15, 24), to = before?.map((angle) => angle * factor);
    const angles = to ? motion.nearestAngles(T, sequence, to) : formulas[`branches_${sequence}`](T).slice(0, 3);
    return angles.map((angle) => angle / factor);
  }
  const values = formula ? formulas[formula](found.slice(15, 24)) : found;
  return columns.map((column) => values[column] / factor);
}

const inkOf = (color) => (color.startsWith("#") ? color : `var(--${color})`);

function makePlots(root, look) {
  const charts = file.plots.map(makeChart);
  let changedBy = null;

  function makeChart(plot) {
    const place = document.createElement("figure"), head = document.createElement("figcaption"), legend = document.createElement("div");
    const svg = svgPart("svg", { role: "img", "aria-label": `${plot.title}, ${plot.subtitle}` });
    const title = document.createElement("b"), about = document.createElement("small");
    title.textContent = plot.title;
    about.textContent = [plot.subtitle, plot.unit].filter(Boolean).join(", ");
    head.title = about.textContent;  // where there is no room for it
    head.append(title, " ", about);
    legend.className = "legend";
    const outputs = plot.curves.map(({ name, color, isDashed }) => {
      const each = document.createElement("span"), key = document.createElement("i"), output = document.createElement("output");
      key.style.borderTopColor = inkOf(color);
      key.style.borderTopStyle = isDashed ? "dashed" : "solid";
      each.append(key, name, output);
      legend.append(each);
      return output;
    });
    const note = document.createElement("p");
    note.className = "quiet";
    note.textContent = plot.note;
    note.hidden = !plot.note;
    place.append(head, legend, svg, note);
    root.append(place);
    const exported = plot.values ? read(plot.values) : null;
    const chart = { plot, svg, outputs, place, exported, samples: null, box: null, cursor: null };
    for (const kind of ["pointerdown", "pointermove"]) {
      svg.addEventListener(kind, (event) => scrub(chart, event));
    }
    return chart;
  }

  function scrub(chart, event) {
    if (event.type === "pointerdown") {
      chart.svg.setPointerCapture(event.pointerId);
    } else if (!chart.svg.hasPointerCapture(event.pointerId)) {
      return;
    }
    const { left, width } = chart.svg.getBoundingClientRect(), across = width - CHART.left - CHART.right;
    look.seek(file.start + (DURATION * clamp(event.clientX - left - CHART.left, 0, across)) / across);
  }

  const isComputed = ({ plot }) => plot.sources !== null && (plot.sources.every(({ isExact }) => isExact) || motion.isAway());

  // The curves: times, and of each curve its values.
  function samplesOf(chart) {
    const { plot, exported } = chart, curves = plot.curves.map(() => []);
    if (!isComputed(chart)) {
      const { start, stop, count } = plot;
      const times = Array.from({ length: count }, (_, i) => start + ((stop - start) * i) / (count - 1));
      return { times, curves: curves.map((_, k) => exported.subarray(k * count, (k + 1) * count)) };
    }
    const times = Array.from({ length: SAMPLED }, (_, i) => file.start + (DURATION * i) / (SAMPLED - 1));
    const before = plot.sources.map(() => null);
    for (const time of times) {
      plot.sources.flatMap((source, i) => {
        before[i] = signalAt(source, time, before[i]);
        return before[i];
      }).forEach((value, k) => curves[k].push(value));
    }
    return { times, curves };
  }

  // The values at a time: computed where they can be.
  function valuesAt(chart, time) {
    const { times, curves } = chart.samples;
    let k = 0;
    for (let high = times.length - 1; high - k > 1;) {
      const middle = (k + high) >> 1;
      if (times[middle] <= time) { k = middle; } else { high = middle; }
    }
    if (isComputed(chart)) {
      let at = 0;
      return chart.plot.sources.flatMap((source) => {
        const found = signalAt(source, time, curves.slice(at, at + 3).map((curve) => curve[k]));
        at += found.length;
        return found;
      });
    }
    const f = clamp((time - times[k]) / (times[k + 1] - times[k]), 0, 1);
    return curves.map((curve) => (f === 0 ? curve[k] : f === 1 ? curve[k + 1] : curve[k] + (curve[k + 1] - curve[k]) * f));
  }

  function rangeOf({ plot, samples }) {
    const most = plot.most ?? Infinity;
    let [low, high] = [Infinity, -Infinity];
    samples.curves.forEach((curve, k) => {
      const seen = Array.from(curve).filter(Number.isFinite).map((value) => clamp(value, -most, most));
      const isZero = plot.zero.length > 0 && seen.every((value) => Math.abs(value) <= plot.zero[k]);  // but for rounding
      seen.forEach((value) => {
        low = Math.min(low, isZero ? 0 : value);
        high = Math.max(high, isZero ? 0 : value);
      });
    });
    if (low > high) {
      return [-1, 1];
    }
    const pad = high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : Math.max(0.5 * Math.abs(high), 0.5);
    return [low - pad, high + pad];
  }

  function lay(chart) {
    const { svg, plot } = chart, width = svg.clientWidth, height = svg.clientHeight;
    chart.samples = samplesOf(chart);
    const [low, high] = rangeOf(chart), { times, curves } = chart.samples;
    const x = (time) => CHART.left + ((width - CHART.left - CHART.right) * (time - file.start)) / DURATION;
    const y = (value) => CHART.top + ((height - CHART.top - CHART.bottom) * (high - value)) / (high - low);
    const parts = [], { step, ticks } = ticksBetween(low, high, MOST_TICKS);
    const decimals = (size) => clamp(-Math.floor(Math.log10(size) + 1e-9), 0, 8);
    for (const value of ticks) {
      parts.push(svgPart("line", { class: Math.abs(value) < 1e-9 * step ? "zero" : "grid", x1: CHART.left, x2: width - CHART.right, y1: y(value), y2: y(value) }));
      parts.push(textAt(CHART.left - 5, y(value) + 4, "end", Math.abs(value) < 1e6 ? fixed(value, decimals(step)) : value.toExponential(0)));
    }
    const along = ticksBetween(file.start, file.stop, Math.max(2, (width - CHART.left) / 70));
    along.ticks.forEach((time) => parts.push(textAt(x(time), height - 4, "middle", fixed(time, decimals(along.step)))));
    plot.curves.forEach(({ color, isDashed }, k) => {
      let path = "", isOn = false;
      times.forEach((time, i) => {
        const value = curves[k][i], isKnown = Number.isFinite(value);
        path += isKnown ? `${isOn ? "L" : "M"}${x(time).toFixed(1)} ${clamp(y(value), -1e4, 1e4).toFixed(1)}` : "";
        isOn = isKnown;
      });
      const line = svgPart("path", { d: path, class: isDashed ? "curve is-dashed" : "curve" });
      line.style.stroke = inkOf(color);
      parts.push(line);
    });
    chart.cursor = svgPart("line", { class: "cursor", y1: CHART.top, y2: height - CHART.bottom });
    chart.x = x;
    svg.replaceChildren(...parts, chart.cursor);
    chart.place.classList.toggle("is-stale", motion !== null && motion.isAway() && !isComputed(chart));
  }

  function textAt(x, y, anchor, text) {
    const made = svgPart("text", { x, y, "text-anchor": anchor });
    made.textContent = text;
    return made;
  }

  // What a hand has set; curves are sampled anew when it has changed.
  const stateNow = () => (motion === null ? "" : JSON.stringify([motion.parameters, [...motion.turned]]));

  function show(time) {
    if (root.offsetParent === null || charts.length === 0) {
      return;
    }
    const state = stateNow(), isNew = state !== changedBy, shown = motion?.staged() ?? null;
    changedBy = state;
    motion?.stage(null);  // the plots are of the frame as it stands
    for (const chart of charts) {
      const size = `${chart.svg.clientWidth} ${chart.svg.clientHeight}`;
      if (isNew || chart.box !== size) {
        chart.box = size;
        lay(chart);
      }
      const at = chart.x(time);
      chart.cursor.setAttribute("x1", at);
      chart.cursor.setAttribute("x2", at);
      const values = valuesAt(chart, time);
      chart.outputs.forEach((output, k) => {
        output.textContent = Number.isFinite(values[k]) ? fixed(values[k], chart.plot.decimals ?? 3) : "–";
      });
    }
    motion?.stage(shown);
  }

  return {
    show,
    // What is drawn: times and values of all curves.
    read: () => charts.map((chart) => ({
      title: chart.plot.title, isComputed: isComputed(chart), times: [...chart.samples.times], curves: chart.samples.curves.map((each) => [...each]),
    })),
  };
}
