// Lines that are drawn over the scene, such as arrows and arcs.

// Return a colour "#RRGGBB" as three numbers up to one.
/** @param {string} hex */
export const hexColor = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

// Return a pen: it collects lines, each of one colour and width.
export function makeStrips() {
  /** @type {Strip[]} */
  const strips = [];
  return {
    strips,
    // Draw lines between points, two by two.
    /** @param {number} width @param {string} color @param {number} opacity @param {Vector[]} points */
    line(width, color, opacity, ...points) {
      strips.push({ width, points, colors: points.map(() => [...hexColor(color), opacity]) });
    },
    // Draw a path from point to point.
    /** @param {number} width @param {string} color @param {number} opacity @param {Vector[]} points */
    path(width, color, opacity, points) {
      this.line(width, color, opacity, ...points.slice(1).flatMap((point, i) => [points[i], point]));
    },
  };
}
