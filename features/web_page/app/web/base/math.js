// Vectors, quaternions and rotations. A quaternion is x, y, z, w and takes vectors into the parent. A rotation is its
// matrix R, nine numbers row by row. T is the transpose of R: it takes vectors of the parent into the frame.

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vector} a @param {Vector} b */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vector} a @param {number} s */
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @type {Between} */
export const mix = (a, b, f) => a.map((value, i) => value + (b[i] - value) * f);
/** @param {Vector} a */
export const unit = (a) => scale(a, 1 / Math.hypot(a[0], a[1], a[2]));
/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** @type {Between} */
export function slerp(a, b, f) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(sign * cosine, 1);
  let u = 1 - f, v = sign * f;
  const angle = Math.acos(cosine);
  if (angle > 1e-4) {  // below, the straight line is as good, and its length is one
    u = Math.sin(u * angle) / Math.sin(angle);
    v = sign * Math.sin(f * angle) / Math.sin(angle);
  }
  return unitQuaternion([u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3]]);
}

// Return 1 for two quaternions of the same sign, otherwise -1.
/** @param {Quaternion} a @param {Quaternion} b */
export const signBetween = (a, b) => (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1);

// Return the sign that makes the scalar of a quaternion positive; for a half turn, its first component.
/** @param {Quaternion} q */
export function uprightSign([x, y, z, w]) {
  return (([w, x, y, z].find((part) => Math.abs(part) > 1e-9) ?? 1) < 0 ? -1 : 1);
}

/** @param {Quaternion} q */
export function unitQuaternion(q) {
  const length = Math.hypot(q[0], q[1], q[2], q[3]);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** @param {Quaternion} a @param {Quaternion} b */
export function multiply(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** @param {Quaternion} q */
export const conjugate = (q) => [-q[0], -q[1], -q[2], q[3]];

/** @param {Quaternion} q */
export function rotationOf([x, y, z, w]) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
  ];
}

/** @param {Matrix} R @param {Vector} v */
export const rotate = (R, v) => [
  R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
  R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
  R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
];

/** @param {Matrix} R */
export const transpose = (R) => [R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]];

/** @param {number} axis @param {number} angle */
function aboutAxis(axis, angle) {
  const half = angle / 2, q = [0, 0, 0, Math.cos(half)];
  q[axis] = Math.sin(half);
  return q;
}

// Sine between the first and the third axis up to which angles count as locked: rotations have single precision here.
const LOCKED = 1e-6;

// Return branch 1 of the angles α, β, γ of R = R_i(α) R_j(β) R_k(γ), turns about moving axes, as in the program. α is 0
// at the lock. β is within ±90°, or from 0° to 180° for a sequence whose first axis comes again.
/** @param {Quaternion} q @param {Sequence} sequence */
export function anglesOf(q, sequence) {
  const [i, j, last] = [...sequence].map((letter) => "XYZ".indexOf(letter));
  const k = 3 - i - j, isProper = last === i, sign = (j - i + 3) % 3 === 1 ? 1 : -1;
  const R = rotationOf(q);
  /** @param {Matrix} M @param {number} row @param {number} column */
  const at = (M, row, column) => M[3 * row + column];
  const [sine, cosine] = isProper ? [at(R, j, i), -sign * at(R, k, i)] : [-sign * at(R, j, k), at(R, k, k)];
  const isLocked = Math.hypot(sine, cosine) <= LOCKED;
  const alpha = isLocked ? 0 : Math.atan2(sine, cosine);
  const rest = rotationOf(multiply(aboutAxis(i, -alpha), q));
  const [beta, gamma] = isProper
    ? [Math.atan2(-sign * at(rest, k, i), at(rest, i, i)), Math.atan2(-sign * at(rest, j, k), at(rest, j, j))]
    : [Math.atan2(sign * at(rest, i, k), at(rest, k, k)), Math.atan2(sign * at(rest, j, i), at(rest, j, j))];
  return { angles: [alpha, beta, gamma], isLocked };
}

// Return the other angles that give the same rotation.
/** @param {Vector} angles @param {Sequence} sequence */
export function otherBranch([alpha, beta, gamma], sequence) {
  /** @param {number} angle */
  const turn = (angle) => (angle > 0 ? angle - Math.PI : angle + Math.PI);
  const isProper = sequence[0] === sequence[2];
  return [turn(alpha), isProper ? -beta : (beta >= 0 ? Math.PI - beta : -Math.PI - beta), turn(gamma)];
}

// Return a number as text with so many decimals, and a true minus sign.
/** @param {number} value @param {number} decimals */
export function formatNumber(value, decimals) {
  const text = Math.abs(value) < 1e9 ? value.toFixed(decimals) : value.toExponential(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace(/-/g, "\u2212");
}
