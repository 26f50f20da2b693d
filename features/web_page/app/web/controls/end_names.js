// Names of curves at their right ends, beside the curves and clear of each other.

// Pixels.
const REACH = 160;
const MARGIN = 3;
const LINE = 14;
const STEPS = [0, 8, 16, 32, 48];  // pixels by which a name may move to the left along its curve
const MOST_NAMES = 8;
const LARGEST_SHARE = 0.25;  // of the plot's width

// Return the top left corner of each name; null for a name without room. A curve is the distance from the top at each
// pixel of a plot.
/** @param {number[][]} curves @param {number[]} widths @param {number} height @returns {([number, number] | null)[]} */
export function placeNames(curves, widths, height) {
  const right = curves.length > 0 ? curves[0].length : 0;
  /** @type {{ left: number, top: number, width: number }[]} */
  const taken = [];
  if (curves.length < 2 || curves.length > MOST_NAMES) {
    return curves.map(() => null);
  }
  return curves.map((_, i) => {
    const width = widths[i];
    for (const step of width <= LARGEST_SHARE * right ? STEPS : []) {
      const left = right - MARGIN - width - step;
      const from = Math.max(Math.floor(left - MARGIN), right - REACH, 0), to = Math.ceil(left + width + MARGIN);
      const beside = curves.map((curve) => curve.slice(from, to)), own = beside[i];
      if (left < Math.max(right - REACH, 0) || !own.every(Number.isFinite)) {
        continue;
      }
      const above = Math.min(...own) - MARGIN - LINE, below = Math.max(...own) + MARGIN;
      for (const top of [above, below]) {
        // No curve may be under the name, nor between the name and its own curve.
        const isClear = beside.every((curve) => curve.every((y, k) => (
          top === above ? !(y > above - 1 && y < own[k]) : !(y > own[k] && y < below + LINE + 1))));
        const isAlone = taken.every((other) => (
          left >= other.left + other.width + MARGIN || other.left >= left + width + MARGIN
          || top >= other.top + LINE || other.top >= top + LINE));
        if (isClear && isAlone && top >= 0 && top + LINE <= height) {
          taken.push({ left, top, width });
          return [left, top];
        }
      }
    }
    return null;
  });
}
