// Lines that are drawn over the scene, such as arrows and arcs.

export const hexColor = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

// Lines, two ends each, with one colour and width.
export function makeStrips() {
  const strips = [];
  return {
    strips,
    line: (width, color, opacity, ...points) => strips.push({
      width, points, colors: points.map(() => [...hexColor(color), opacity]),
    }),
    path(width, color, opacity, points) {
      this.line(width, color, opacity, ...points.slice(1).flatMap((point, i) => [points[i], point]));
    },
  };
}
