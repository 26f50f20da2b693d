// Features of a curve, as `curve_features.py` has them: height, jumps, signs, turning points and ends.

const LEVEL = 0.7;
const END = 1.25;
const PLACE = 0.08;
const JUMP_PLACE = 0.06;
const DEAD = 0.06;
const WAVE = 0.35;
const FLAT_TOP = 0.25;
const SUDDEN = 0.03;
const BY_HAND = 0.12;
const HALF = 0.5;
const MOST = 0.6;
const LOWEST = 0.2;
const SAME_SHAPE = 0.6;
const TOO_LOW = 0.78;
const TOO_HIGH = 1.28;

/** @param {string} name @param {string} text @returns {Fault} */
const faultOf = (name, text) => ({ name, text });
/** @param {number[]} values */
const rangeOf = (values) => Math.max(...values) - Math.min(...values);
/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// Round halves to even numbers, as the program does.
/** @param {number} value */
function round(value) {
  const whole = Math.round(value);
  return Math.abs(value % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
}

/** @param {number} n */
const widthOf = (n) => Math.max(1, round(SUDDEN * n));

// Return the first feature in which an answer differs from a curve; null if it has them all.
/** @param {number[]} right @param {number[]} answer @param {number} tolerance @param {number} scale */
export function findFault(right, answer, tolerance, scale) {
  return jumpFault(right, answer, scale) ?? heightFault(right, answer, tolerance, scale)
    ?? signFault(right, answer, scale) ?? waveFault(right, answer, scale)
    ?? levelFault(right, answer, tolerance, scale) ?? placeFault(right, answer, scale)
    ?? endFault(right, answer, tolerance, scale);
}

/** @param {number[]} right @param {number[]} answer @param {number} tolerance @param {number} scale */
function heightFault(right, answer, tolerance, scale) {
  const size = right.reduce((sum, value) => sum + value * value, 0);
  if (size <= 0) {
    return null;
  }
  const ratio = right.reduce((sum, value, i) => sum + value * answer[i], 0) / size;
  const off = Math.sqrt(mean(right.map((value, i) => (answer[i] - ratio * value) ** 2))) / scale;
  if (off > SAME_SHAPE * tolerance || ratio <= 0.2 || (TOO_LOW <= ratio && ratio <= TOO_HIGH)) {
    return null;
  }
  if (Math.abs(ratio - 0.5) < 0.08) {
    return faultOf("half", "The shape is right, but it is half as high as it should be.");
  }
  if (Math.abs(ratio - 2) < 0.25) {
    return faultOf("double", "The shape is right, but it is twice as high as it should be.");
  }
  return faultOf("height", `The shape is right, but it is too ${ratio < 1 ? "low" : "high"}: read off the scale.`);
}

/** @param {number[]} right @param {number[]} answer @param {number} scale */
function jumpFault(right, answer, scale) {
  const n = right.length, width = widthOf(n), at = largestChange(right, width, Math.abs);
  const height = right[at + width] - right[at];
  if (Math.abs(height) < HALF * scale) {
    const own = largestChange(answer, width, Math.abs);
    const isSudden = Math.abs(answer[own + width] - answer[own]) > MOST * scale;
    return isSudden ? faultOf("jump", "It changes suddenly. The right curve is smooth.") : null;
  }
  const wide = Math.max(1, round(BY_HAND * n)), way = Math.sign(height);
  const own = largestChange(answer, wide, (change) => way * change);
  const range = rangeOf(answer);
  if (way * (answer[own + wide] - answer[own]) < MOST * range || range < LOWEST * Math.abs(height)) {
    return faultOf("no jump", "It changes little by little. The right curve jumps.");
  }
  const place = at + 0.5 * width;
  const ownPlace = crossingNear(answer, 0.5 * (right[at] + right[at + width]), own, own + wide);
  if (ownPlace < place - JUMP_PLACE * n) {
    return faultOf("jump too early", "The jump comes too early.");
  }
  return ownPlace > place + JUMP_PLACE * n ? faultOf("jump too late", "The jump comes too late.") : null;
}

// Return the first sample of the largest change of a curve within some samples, by a measure of changes.
/** @param {number[]} values @param {number} width @param {(change: number) => number} measure */
function largestChange(values, width, measure) {
  let best = 0, most = -Infinity;
  for (let i = 0; i + width < values.length; i++) {
    const change = measure(values[i + width] - values[i]);
    if (change > most) {
      [best, most] = [i, change];
    }
  }
  return best;
}

/** @param {number[]} values @param {number} level @param {number} begin @param {number} end */
function crossingNear(values, level, begin, end) {
  const crossings = [];
  for (let i = begin; i < end; i++) {
    if ((values[i] > level) !== (values[i + 1] > level)) {
      crossings.push(i + 0.5);
    }
  }
  return crossings.length ? crossings[Math.floor(crossings.length / 2)] : 0.5 * (begin + end);
}

/** @param {number[]} right @param {number[]} answer @param {number} scale */
function signFault(right, answer, scale) {
  if (Math.min(...right) >= -0.5 * DEAD * scale && Math.min(...answer) < -2 * DEAD * scale) {
    return faultOf("sign", "It should never be negative.");
  }
  if (Math.max(...right) <= 0.5 * DEAD * scale && Math.max(...answer) > 2 * DEAD * scale) {
    return faultOf("sign", "It should never be positive.");
  }
  const places = signChanges(right, DEAD * scale), own = signChanges(answer, DEAD * scale);
  if (own.length !== places.length) {
    return faultOf("sign", `It passes through zero too ${own.length > places.length ? "often" : "rarely"}.`);
  }
  const k = places.findIndex((place, i) => Math.abs(own[i] - place) > PLACE * right.length);
  return k < 0 ? null : faultOf("zero", `It passes through zero too ${own[k] < places[k] ? "early" : "late"}.`);
}

/** @param {number[]} values @param {number} dead */
function signChanges(values, dead) {
  /** @type {number[]} */
  const places = [];
  let sign = 0, last = 0;
  values.forEach((value, i) => {
    const now = value > dead ? 1 : value < -dead ? -1 : 0;
    if (now === 0) {
      return;
    }
    if (sign !== 0 && sign !== now) {
      places.push(0.5 * (last + i));
    }
    [sign, last] = [now, i];
  });
  return places;
}

/** @param {number[]} right @param {number[]} answer @param {number} scale */
function waveFault(right, answer, scale) {
  const n = turningPoints(right, WAVE * scale).length, own = turningPoints(answer, WAVE * scale).length;
  return n === own ? null : faultOf("period", `It goes up and down too ${own > n ? "often" : "rarely"}.`);
}

/** @param {number[]} values @param {number} change */
function turningPoints(values, change) {
  /** @type {number[]} */
  const points = [];
  let way = 0, low = 0, high = 0;
  values.forEach((value, i) => {
    low = value < values[low] ? i : low;
    high = value > values[high] ? i : high;
    if (way >= 0 && value <= values[high] - change) {
      if (way) {
        points.push(high);
      }
      [way, low, high] = [-1, i, i];
    } else if (way <= 0 && value >= values[low] + change) {
      if (way) {
        points.push(low);
      }
      [way, low, high] = [1, i, i];
    }
  });
  return points;
}

/** @param {number[]} right @param {number[]} answer @param {number} tolerance @param {number} scale */
function levelFault(right, answer, tolerance, scale) {
  for (const [word, take] of /** @type {const} */ ([["highest", Math.max], ["lowest", Math.min]])) {
    const off = (take(...answer) - take(...right)) / scale;
    if (Math.abs(off) > LEVEL * tolerance) {
      return faultOf("level", `Its ${word} value is too ${off > 0 ? "high" : "low"}.`);
    }
  }
  return null;
}

// Return the first and the last sample within a distance of the largest value.
/** @param {number[]} values @param {number} within */
function endsOfTop(values, within) {
  const limit = Math.max(...values) - within, near = values.flatMap((value, i) => (value >= limit ? [i] : []));
  return [near[0], near[near.length - 1]];
}

// Return the first and the last sample around one whose values are within a distance of its value.
/** @param {number[]} values @param {number} at @param {number} within */
function topAround(values, at, within) {
  let begin = at, end = at;
  while (begin > 0 && Math.abs(values[begin - 1] - values[at]) <= within) {
    begin -= 1;
  }
  while (end < values.length - 1 && Math.abs(values[end + 1] - values[at]) <= within) {
    end += 1;
  }
  return [begin, end];
}

/** @param {number[]} right @param {number[]} answer @param {number} scale */
function placeFault(right, answer, scale) {
  const n = right.length;
  for (const [word, sign] of /** @type {const} */ ([["highest", 1], ["lowest", -1]])) {
    const near = endsOfTop(right.map((value) => sign * value), 0.05 * scale);
    const own = endsOfTop(answer.map((value) => sign * value), 0.05 * scale);
    const off = 0.5 * (own[0] + own[1]) - 0.5 * (near[0] + near[1]);
    if (near[1] - near[0] <= FLAT_TOP * n && Math.abs(off) > 1.5 * PLACE * n) {
      return faultOf("place", `Its ${word} value comes too ${off < 0 ? "early" : "late"}.`);
    }
  }
  const own = turningPoints(answer, WAVE * scale);
  for (const [k, point] of turningPoints(right, WAVE * scale).entries()) {
    const top = topAround(right, point, 0.1 * scale), ownTop = topAround(answer, own[k], 0.1 * scale);
    const off = 0.5 * (ownTop[0] + ownTop[1] - top[0] - top[1]);
    if (top[1] - top[0] <= FLAT_TOP * n && Math.abs(off) > PLACE * n) {
      return faultOf("place", `It turns round too ${off < 0 ? "early" : "late"}.`);
    }
  }
  return null;
}

/** @param {number[]} right @param {number[]} answer @param {number} tolerance @param {number} scale */
function endFault(right, answer, tolerance, scale) {
  const n = Math.max(1, round(0.02 * right.length));
  /** @type {[string, [number, number?]][]} */
  const ends = [["begins", [0, n]], ["ends", [-n]]];
  for (const [verb, part] of ends) {
    const off = (mean(answer.slice(...part)) - mean(right.slice(...part))) / scale;
    if (Math.abs(off) > END * tolerance) {
      return faultOf("end", `It ${verb} too ${off > 0 ? "high" : "low"}.`);
    }
  }
  return null;
}

// Return a curve with straight lines in place of unknown values, and constant ends.
/** @param {number[]} values */
export function fillGaps(values) {
  const known = values.flatMap((value, i) => (Number.isFinite(value) ? [i] : []));
  let k = 0;
  return values.map((_, i) => {
    while (k < known.length - 1 && known[k + 1] <= i) {
      k += 1;
    }
    const [a, b] = [known[k], known[Math.min(k + 1, known.length - 1)]];
    const share = a === b ? 0 : Math.min(Math.max((i - a) / (b - a), 0), 1);
    return values[a] + share * (values[b] - values[a]);
  });
}
