// Motion of the frames, computed by the program's own formulas, with changes made by hand: other values of parameters,
// and frames turned by other angles.

import { formulas } from "./formulas.js";
import { multiply, rotationOf, slerp, transpose, unitQuaternion } from "./math.js";
import { file, ORIGIN, sizeBetween, valueAt } from "./scene.js";

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, ...new Array(15).fill(0)];
const UNTURNED = [0, 0, 0, 1];
const STILL = [0, 0, 0];
export const UNKNOWN = [NaN, NaN, NaN];

// Return whether a state has an orientation and a position.
/** @param {State | undefined} state */
export const isPosed = (state) => state !== undefined && state.slice(0, 12).every(Number.isFinite);

/** @param {MotionData} data @param {Formulas} formulas */
export function makeMotion({ frames, parents, order, parameters, fixed, uses, rings, unsure }, formulas) {
  const names = Object.keys(parameters), own = Object.values(parameters);
  /** @type {{ parameters: number[], turned: Map<number, Turn>, staged: (Turn & { row: number }) | null }} */
  const hand = { parameters: [...own], turned: new Map(), staged: null };
  const { step, relation, turned_about: turnAbout } = formulas;
  const { multiply_matrices: multiplyMatrices, quaternion_of: quaternionOf } = formulas;
  const rowOf = new Map(file.frames.map((frame, row) => [frame.name, row]));
  /** @param {Sequence} sequence @param {Vector} angles */
  const turn = (sequence, angles) => formulas[`turned_by_${sequence}`](angles, STILL, STILL);

  // Return angles and position of a frame, their first and their second derivatives.
  /** @param {ComputedFrame} frame @param {number} time */
  function signalsOf(frame, time) {
    const all = formulas[frame.signals](time, hand.parameters, frame.constants), width = all.length / 3;
    return [0, 1, 2].map((derivative) => all.slice(derivative * width, (derivative + 1) * width));
  }

  // Return T, w and b of a frame in its parent, as the scene has them.
  /** @param {ComputedFrame} frame @param {number[][]} signals */
  function ownTurn(frame, signals) {
    if (frame.sequence) {
      const [angles, rates, accelerations] = signals.map((part) => part.slice(0, 3));
      return formulas[`turned_by_${frame.sequence}`](angles, rates, accelerations);
    }
    if (!frame.axis) {
      return [...(frame.T ?? []), ...STILL, ...STILL];
    }
    const [angle, rate, acceleration] = signals.map((part) => part[0]);
    const turned = turnAbout(frame.axis, angle, rate, acceleration);
    return frame.T ? [...multiplyMatrices(turned.slice(0, 9), frame.T), ...turned.slice(9)] : turned;
  }

  // Return the motion of a sampled frame in its parent: it has no rates.
  /** @param {number} row @param {number} time */
  function sampleMotion(row, time) {
    const { node } = file.frames[row];
    if (node < 0 || valueAt(file.nodes[node].size, time, sizeBetween)[2] === 0) {
      return new Array(24).fill(NaN);
    }
    const R = rotationOf(unitQuaternion(valueAt(file.nodes[node].Q, time, slerp)));
    return [...transpose(R), ...valueAt(file.nodes[node].p, time), ...UNKNOWN, ...UNKNOWN, ...UNKNOWN, ...UNKNOWN];
  }

  // Return the angles that turn a frame now: those of the turns that are shown, or those set by hand.
  /** @param {number} row @returns {Turn | null} */
  const turnOfRow = (row) => (hand.staged?.row === row ? hand.staged : hand.turned.get(row) ?? null);

  // Return the motion of a frame in its parent.
  /** @param {number} row @param {number} time @param {Turn | null} byHand */
  function localOf(row, time, byHand = turnOfRow(row)) {
    const frame = frames[row];
    if (frame === null) {
      const local = sampleMotion(row, time);
      return byHand ? [...turn(byHand.sequence, byHand.angles).slice(0, 9), ...local.slice(9)] : local;
    }
    const signals = signalsOf(frame, time), [p, v, a] = signals.map((part) => part.slice(-3));
    const T = byHand ? turn(byHand.sequence, byHand.angles) : ownTurn(frame, signals);
    return [...T.slice(0, 9), ...p, ...T.slice(9, 12), ...v, ...T.slice(12, 15), ...a];
  }

  // Return the states of all frames in world, by rows.
  /** @param {number} time @returns {State[]} */
  function statesAt(time) {
    const states = [IDENTITY];
    for (const row of order) {
      states[row] = step(states[parents[row]], localOf(row, time));
    }
    return states;
  }

  // Return the state of one frame in world, by way of its ancestors alone.
  /** @param {number} row @param {number} time @returns {State} */
  function stateAt(row, time) {
    return row === 0 ? IDENTITY : step(stateAt(parents[row], time), localOf(row, time));
  }

  // Return the state of one frame in world without any change made by hand.
  /** @param {number} row @param {number} time */
  function ownStateAt(row, time) {
    const { parameters: set, turned, staged } = hand;
    Object.assign(hand, { parameters: own, turned: new Map(), staged: null });
    const state = stateAt(row, time);
    Object.assign(hand, { parameters: set, turned, staged });
    return state;
  }

  // Return the rows of frames that a change made by hand moves: the changed ones and their descendants.
  function touchedRows() {
    const rows = new Set(hand.turned.keys());
    if (hand.staged !== null) {
      rows.add(hand.staged.row);
    }
    for (const row of order) {
      if (rows.has(parents[row]) || uses[row].some((i) => hand.parameters[i] !== own[i])) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** @param {State} state @param {boolean} isSeen @returns {Pose} */
  function poseOfState(state, isSeen) {
    const R = state.slice(0, 9);
    return { q: quaternionOf(transpose(R), UNTURNED), p: state.slice(9, 12), R, size: [1, 1, 1], isSeen };
  }

  // Return the angles that turn a frame: those set by hand, the scene's own, or branch 1 of its orientation.
  /** @param {number} row @param {number} time @param {Sequence} sequence */
  function anglesAt(row, time, sequence) {
    const byHand = hand.turned.get(row), frame = frames[row];
    if (byHand) {
      return byHand.sequence === sequence ? byHand.angles : branchOf(turn(byHand.sequence, byHand.angles), sequence);
    }
    if (frame?.sequence === sequence) {
      return signalsOf(frame, time)[0].slice(0, 3);
    }
    return branchOf(localOf(row, time, null), sequence);
  }

  // Return the angles of a matrix that are nearest to others, on either branch and with any number of whole turns.
  /** @param {Matrix} T @param {Sequence} sequence @param {Vector} to */
  function nearestAngles(T, sequence, to) {
    const both = formulas[`branches_${sequence}`](T.slice(0, 9));
    const near = [both.slice(0, 3), both.slice(3)].map((angles) => (
      angles.map((angle, i) => angle + 2 * Math.PI * Math.round((to[i] - angle) / (2 * Math.PI)))));
    const [a, b] = near.map((angles) => Math.hypot(...angles.map((angle, i) => angle - to[i])));
    return a <= b ? near[0] : near[1];
  }

  /** @param {Matrix} T @param {Sequence} sequence */
  const branchOf = (T, sequence) => formulas[`branches_${sequence}`](T.slice(0, 9)).slice(0, 3);

  // Place the rings of a gimbal by the angles of now: each ring is turned by one angle more.
  /** @param {number} time @param {Poses} poses */
  function placeRings(time, poses) {
    for (const { row, node } of rings) {
      const sequence = frames[row]?.sequence, parent = file.nodes[node].parent;
      const above = parent < 0 ? ORIGIN : poses[parent], frame = poses[file.frames[row].node];
      if (!sequence || !frame.isSeen) {
        continue;
      }
      const angles = hand.staged?.row === row && hand.staged.sequence === sequence ? hand.staged.angles
        : anglesAt(row, time, sequence);
      for (let k = 0; k < 4; k++) {
        const T = turn(sequence, angles.map((angle, i) => (i < k ? angle : 0))).slice(0, 9);
        const q = multiply(above.q, quaternionOf(T, UNTURNED));
        poses[node + k] = { ...frame, q, R: rotationOf(q), size: [1, 1, 1] };
      }
    }
  }

  return {
    names, parameters: hand.parameters, own, fixed: new Set(fixed), turned: hand.turned,
    statesAt, stateAt, ownStateAt, touchedRows, poseOfState, anglesAt, nearestAngles, placeRings, relation, rowOf,
    // Return whether the page has formulas of a sequence.
    /** @param {string} sequence */
    hasSequence: (sequence) => formulas[`turned_by_${sequence}`] !== undefined,
    branchOf,
    // Return the values of a formula of parts of a relation, each given by where it begins and ends.
    /** @param {string} formula @param {number[]} relation @param {[number, number][]} parts */
    valuesOf: (formula, relation, parts) => formulas[formula](...parts.map(([from, to]) => relation.slice(from, to))),
    /** @param {Sequence} sequence @param {Vector} angles */
    nearness: (sequence, angles) => formulas[`nearness_${sequence}`](angles),
    // Return the rates of a frame's angles, rad/s; unknown at the lock, where the angles are a choice.
    /** @param {number} row @param {number} time @param {Sequence} sequence @param {Vector} angles */
    ratesAt(row, time, sequence, angles) {
      const w = localOf(row, time, hand.turned.get(row) ?? null).slice(12, 15);
      return formulas[`nearness_${sequence}`](angles)[1] < unsure ? formulas[`rates_${sequence}`](angles, w) : UNKNOWN;
    },
    isAway: () => hand.staged !== null || hand.turned.size > 0 || hand.parameters.some((value, i) => value !== own[i]),
    /** @param {Sequence} sequence @param {Vector} angles */
    turnOf: (sequence, angles) => turn(sequence, angles).slice(0, 9),
    // Show a frame with other angles, without setting them; null ends it.
    /** @param {(Turn & { row: number }) | null} turns */
    stage(turns) {
      hand.staged = turns;
    },
    staged: () => hand.staged,
    /** @param {number} row @param {Sequence} sequence @param {Vector} angles */
    turn(row, sequence, angles) {
      hand.turned.set(row, { sequence, angles });
    },
    // Set a parameter on which nothing sampled depends; other names and values are ignored.
    /** @param {string} name @param {number} value */
    setParameter(name, value) {
      const i = names.indexOf(name);
      if (i >= 0 && Number.isFinite(value) && !fixed.includes(name)) {
        hand.parameters[i] = value;
      }
    },
    resetParameters() {
      own.forEach((value, i) => { hand.parameters[i] = value; });
    },
    /** @param {number} row */
    letGo(row) {
      hand.turned.delete(row);
    },
  };
}

// The motion of a page with sliders; null in other pages.
export const motion = file.motion && formulas ? makeMotion(file.motion, formulas) : null;
