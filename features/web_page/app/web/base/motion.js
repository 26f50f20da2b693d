// How the frames move, computed with the program's own formulas (`formulas`), also with what a hand has changed:
// parameters, and frames that are turned by other angles. A state is R or T, row by row, then p, w, v, b and a.

import { formulas } from "./formulas.js";
import { multiplied, rotationOf, slerp, transposed, unitQuaternion } from "./math.js";
import { file, ORIGIN, sizeBetween, valueAt } from "./scene.js";

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, ...new Array(15).fill(0)];
const UNTURNED = [0, 0, 0, 1];
const STILL = [0, 0, 0];
export const UNKNOWN = [NaN, NaN, NaN];

function makeMotion({ frames, parents, order, parameters, fixed, uses, rings, unsure }) {
  const names = Object.keys(parameters), own = Object.values(parameters);
  const hand = { parameters: [...own], turned: new Map(), staged: null };
  const { step, relation, turned_about: turnedAbout, multiply_matrices: multiplyMatrices, quaternion_of: quaternionOf } = formulas;
  const rowOf = new Map(file.frames.map((frame, row) => [frame.name, row]));
  const turn = (sequence, angles) => formulas[`turned_by_${sequence}`](angles, STILL, STILL);

  function signalsOf(row, time) {
    const frame = frames[row], all = formulas[frame.signals](time, hand.parameters, frame.constants);
    const width = all.length / 3;
    return [0, 1, 2].map((order) => all.slice(order * width, (order + 1) * width));
  }

  // T, w and b of a frame in its parent, as the scene has it.
  function ownTurn(frame, signals) {
    if (frame.sequence) {
      return formulas[`turned_by_${frame.sequence}`](...signals.map((part) => part.slice(0, 3)));
    }
    if (!frame.axis) {
      return [...frame.T, ...STILL, ...STILL];
    }
    const turned = turnedAbout(frame.axis, ...signals.map((part) => part[0]));
    return frame.T ? [...multiplyMatrices(turned.slice(0, 9), frame.T), ...turned.slice(9)] : turned;
  }

  // What is sampled has no rates.
  function sampled(row, time) {
    const { node } = file.frames[row];
    if (node < 0 || valueAt(file.nodes[node].size, time, sizeBetween)[2] === 0) {
      return new Array(24).fill(NaN);
    }
    const R = rotationOf(unitQuaternion(valueAt(file.nodes[node].Q, time, slerp)));
    return [...transposed(R), ...valueAt(file.nodes[node].p, time), ...UNKNOWN, ...UNKNOWN, ...UNKNOWN, ...UNKNOWN];
  }

  // What turns a frame now: some of its turns, while it is shown turn by turn, or the angles of a hand.
  const turnedBy = (row) => (hand.staged?.row === row ? hand.staged : hand.turned.get(row) ?? null);

  // How a frame moves in its parent.
  function localOf(row, time, byHand = turnedBy(row)) {
    const frame = frames[row];
    if (frame === null) {
      const local = sampled(row, time);
      return byHand ? [...turn(byHand.sequence, byHand.angles).slice(0, 9), ...local.slice(9)] : local;
    }
    const signals = signalsOf(row, time), [p, v, a] = signals.map((part) => part.slice(-3));
    const T = byHand ? turn(byHand.sequence, byHand.angles) : ownTurn(frame, signals);
    return [...T.slice(0, 9), ...p, ...T.slice(9, 12), ...v, ...T.slice(12, 15), ...a];
  }

  // How all frames move in world, by their rows.
  function statesAt(time) {
    const states = [IDENTITY];
    for (const row of order) {
      states[row] = step(states[parents[row]], localOf(row, time));
    }
    return states;
  }

  // How one frame moves in world, by way of those that it hangs on alone.
  function stateAt(row, time) {
    return row === 0 ? IDENTITY : step(stateAt(parents[row], time), localOf(row, time));
  }

  // How one frame moves in world as the scene has it, whatever a hand has changed.
  function ownStateAt(row, time) {
    const { parameters: set, turned, staged } = hand;
    Object.assign(hand, { parameters: own, turned: new Map(), staged: null });
    const state = stateAt(row, time);
    Object.assign(hand, { parameters: set, turned, staged });
    return state;
  }

  // The rows of frames that do not stand as in the scene: what a hand has changed, and all that hangs on it.
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

  const isPosed = (state) => state !== undefined && state.slice(0, 12).every(Number.isFinite);

  function poseOfState(state, isSeen) {
    const R = state.slice(0, 9);
    return { q: quaternionOf(transposed(R), UNTURNED), p: state.slice(9, 12), R, size: [1, 1, 1], isSeen };
  }

  // The angles that a frame is turned by: those of the hand, the scene's own, or branch 1 of where it is.
  function anglesAt(row, time, sequence) {
    const byHand = hand.turned.get(row), frame = frames[row];
    if (byHand) {
      return byHand.sequence === sequence ? byHand.angles : branchOf(turn(byHand.sequence, byHand.angles), sequence);
    }
    if (frame?.sequence === sequence) {
      return signalsOf(row, time)[0].slice(0, 3);
    }
    return branchOf(localOf(row, time, null), sequence);
  }

  // The angles of a turn that are nearest to others, on either branch and any turn.
  function nearestAngles(T, sequence, to) {
    const both = formulas[`branches_${sequence}`](T.slice(0, 9));
    const near = [both.slice(0, 3), both.slice(3)].map((angles) => (
      angles.map((angle, i) => angle + 2 * Math.PI * Math.round((to[i] - angle) / (2 * Math.PI)))));
    const [a, b] = near.map((angles) => Math.hypot(...angles.map((angle, i) => angle - to[i])));
    return a <= b ? near[0] : near[1];
  }

  const branchOf = (T, sequence) => formulas[`branches_${sequence}`](T.slice(0, 9)).slice(0, 3);

  // Rings of a gimbal by the angles of now: each is turned by one angle more.
  function ringPoses(time, poses) {
    for (const { row, node } of rings) {
      const { sequence } = frames[row] ?? {}, parent = file.nodes[node].parent;
      const above = parent < 0 ? ORIGIN : poses[parent], frame = poses[file.frames[row].node];
      if (!sequence || !frame.isSeen) {
        continue;
      }
      const angles = hand.staged?.row === row && hand.staged.sequence === sequence ? hand.staged.angles
        : anglesAt(row, time, sequence);
      for (let k = 0; k < 4; k++) {
        const q = multiplied(above.q, quaternionOf(turn(sequence, angles.map((angle, i) => (i < k ? angle : 0))).slice(0, 9), UNTURNED));
        poses[node + k] = { ...frame, q, R: rotationOf(q), size: [1, 1, 1] };
      }
    }
  }

  return {
    names, parameters: hand.parameters, own, fixed: new Set(fixed), turned: hand.turned,
    statesAt, stateAt, ownStateAt, touchedRows, isPosed, poseOfState, anglesAt, nearestAngles, ringPoses, relation, rowOf,
    nearness: (sequence, angles) => formulas[`nearness_${sequence}`](angles),
    // The rates of those angles, rad/s; none at the lock, where the angles are a choice.
    ratesAt(row, time, sequence, angles) {
      const rates = formulas[`rates_${sequence}`](angles, localOf(row, time, hand.turned.get(row) ?? null).slice(12, 15));
      return formulas[`nearness_${sequence}`](angles)[1] < unsure ? rates : UNKNOWN;
    },
    isAway: () => hand.staged !== null || hand.turned.size > 0 || hand.parameters.some((value, i) => value !== own[i]),
    turnOf: (sequence, angles) => turn(sequence, angles).slice(0, 9),
    // Show a frame with other angles, without their being set; null ends it.
    stage(shown) {
      hand.staged = shown;
    },
    staged: () => hand.staged,
    turn(row, sequence, angles) {
      hand.turned.set(row, { sequence, angles });
    },
    resetParameters() {
      own.forEach((value, i) => { hand.parameters[i] = value; });
    },
    letGo(row) {
      hand.turned.delete(row);
    },
  };
}

export const motion = file.motion ? makeMotion(file.motion) : null;
