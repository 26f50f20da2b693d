// Types of the data that a page holds, as `html.py` and the modules beside it write them, and of what modules share.

/** Three numbers: x, y, z. */
type Vector = number[];
/** Four numbers: x, y, z, w. */
type Quaternion = number[];
/** Nine numbers of a matrix, row by row. */
type Matrix = number[];
/** How a frame moves: R or T row by row, p, w, v, b and a, 24 numbers. */
type State = number[];
/** Three letters of X, Y and Z. */
type Sequence = string;
/** A place in the picture, pixels; a third number is the depth, m. */
type Pixels = number[];

type NumberArray = Float32Array | Int16Array | Uint16Array | Int8Array | Uint8Array | Uint32Array;
type ArrayKind = "f4" | "i2" | "u2" | "i1" | "u1" | "u4";
/** Kind, offset in bytes and count of an array among the numbers of the page. */
type PackedArray = [ArrayKind, number, number];

// --- The scene

interface SceneFile {
  start: number;
  stop: number;
  theme: string;
  followsScheme: boolean;
  themes: Record<string, Theme>;
  grid: number;
  angles: { factor: number; decimals: number; sceneDecimals: number; sign: string };
  camera: { position: number; focal: number; up: number; angle: number; isParallel: boolean; hasPath: boolean };
  nodes: SceneNode[];
  frames: Frame[];
  chosen: string;
  hosts: string[];
  links: { node: number; parent: number }[];
  trails: { node: number; duration: number }[];
  arrows: Mark[];
  arcs: Mark[];
  sensorArrows: SensorArrow[];
  followed: { what: string; rows: number[]; isComputed: boolean }[];
  measured: { ghost: number; gap: number | null; of: number; from: number }[];
  notes: Note[];
  plots: Plot[];
  shapes: SceneShape[];
  tracks: (StillTrack | PackedTrack)[];
  motion: MotionData | null;
}

/** Colours of a theme as "#RRGGBB", and whether its ground is dark. */
interface Theme {
  is_dark: boolean;
  [role: string]: string | boolean;
}

/** A node that moves. Numbers of tracks have names of their own: place, orientation and size in the parent. */
interface SceneNode extends Followed {
  parent: number;
  p: number;
  Q: number;
  size: number;
  isFixed: boolean;
  shapes: number[];
}

/** Something that follows frames: its place in the list of what is followed. */
interface Followed {
  follows?: number;
}

interface Frame {
  name: string;
  node: number;
  parent: string;
  root: string;
  sequence: Sequence;
  hasLabel: boolean;
  letters: number;
  axis: number;
  drift: number;
  signs: { own: Quaternion; here: Quaternion; begin: Quaternion } | null;
  ringRadius: number;
}

/** The value at the tip of an arrow or beside an arc. */
interface Mark extends Followed {
  symbol: string;
  name: string;
  unit: string;
  isInDegrees: boolean;
  factor: number;
  role: string;
  node: number;
  p: number;
  v: number;
}

/** An arrow that a page computes; one of a position has rows alone, its end and its start. */
type SensorArrow = { role: string; rows: [number, number] } & (
  | { name: string; symbol: string; place: number; metres: number; less: Vector }
  | { name?: undefined; symbol?: undefined; place?: undefined; metres?: undefined; less?: undefined }
);

interface Note {
  html: string;
  size: string;
  node: number | null;
  r: Vector;
  at: [number, number] | null;
  start: number | null;
  end: number | null;
}

interface SceneShape {
  points: PackedArray;
  cells: PackedArray;
  normals?: PackedArray;
  tints?: PackedArray;
  otherTints?: PackedArray;
  isLines: boolean;
  isClosed: boolean;
  color: number[];
  otherColor: number[];
}

/** A shape with its arrays; `reach` is the distance of its farthest point from the origin of its node. */
interface Shape {
  points: Float32Array;
  cells: Uint16Array | Uint32Array;
  normals: Int8Array | null;
  tints: Uint8Array | null;
  otherTints: Uint8Array | null;
  isLines: boolean;
  isClosed: boolean;
  color: number[];
  otherColor: number[];
  reach: number;
}

/** Something that does not change with time. */
interface StillTrack {
  still: number[];
}

interface PackedTrack {
  still?: undefined;
  width: number;
  times: PackedArray;
  low: number[];
  step?: number[];
  array: PackedArray;
}

/** Samples over time; `at` is the sample that was read last. */
interface Track {
  still?: undefined;
  width: number;
  times: NumberArray;
  values: NumberArray;
  low: number[];
  step?: number[];
  at: number;
}

/** Return the value between two samples, at a fraction of the way. */
type Between = (a: number[], b: number[], f: number) => number[];

/** Where a node is in world. */
interface Pose {
  q: Quaternion;
  p: Vector;
  R: Matrix;
  size: Vector;
  isSeen: boolean;
}

/** Poses of all nodes; where frames are computed, also states by rows, and the rows that changes by hand move. */
type Poses = Pose[] & { states?: State[]; touched?: Set<number> };

// --- Motion

interface MotionData {
  frames: (ComputedFrame | null)[];
  parents: number[];
  order: number[];
  parameters: Record<string, number>;
  fixed: string[];
  uses: number[][];
  rings: { row: number; node: number }[];
  unsure: number;
  near: number;
  lock: number;
}

/** A frame whose motion formulas give: it turns by a sequence, about an axis, or stays as T. */
interface ComputedFrame {
  signals: string;
  constants: number[];
  sequence?: Sequence;
  axis?: Vector;
  T?: Matrix;
}

/** Functions that the program has printed from its own formulas; some are named by a sequence or a number. */
interface Formulas {
  step(parent: State, local: State): State;
  relation(of: State, relative: State, resolved: State): number[];
  turned_about(axis: Vector, angle: number, rate: number, acceleration: number): number[];
  multiply_matrices(a: Matrix, b: Matrix): Matrix;
  quaternion_of(T: Matrix, before: Quaternion): Quaternion;
  // signals_N(t, parameters, constants), turned_by_S(angles, rates, accelerations), branches_S(T), nearness_S(angles),
  // rates_S(angles, w)
  [name: string]: (...values: any[]) => number[];
}

/** What an address says of a page; null is left out. */
interface PageState {
  time: number | null;
  frame: string | null;
  relative: string | null;
  resolved: string | null;
  camera: Pick<Camera, "position" | "focal" | "up"> | null;
  staged: StagedState | null;
  theme: string | null;
}

/** A rotation shown turn by turn: how many turns are done, about which axes, and what turns. */
interface StagedState {
  sequence: Sequence;
  progress: number;
  axes: string;
  side: string;
}

/** Angles by which a frame is turned, rad. */
interface Turn {
  sequence: Sequence;
  angles: Vector;
}

type Motion = ReturnType<typeof import("./base/motion.js").makeMotion>;

// --- The picture

interface Camera {
  position: Vector;
  focal: Vector;
  up: Vector;
  angle: number;
  isParallel: boolean;
}

type Projection = ReturnType<typeof import("./base/camera.js").projectionOf>;
type Bounds = { center: Vector; radius: number };
type Renderer = NonNullable<ReturnType<typeof import("./drawing/renderer.js").makeRenderer>>;
type Labels = ReturnType<typeof import("./drawing/labels.js").makeLabels>;

/** Lines that are drawn over the scene, two ends each, with a colour of four numbers for each end. */
interface Strip {
  width: number;
  points: Vector[];
  colors: number[][];
}

type Pen = ReturnType<typeof import("./drawing/strips.js").makeStrips>;

/** A text over the picture: a plate on a point, and a line between both where they are far apart. */
interface Tag {
  root: HTMLElement;
  plate: HTMLElement;
  leader: SVGElement;
  size: number[] | null;
}

/** A tag at its place; without a tag a plate that does not move. */
interface PlacedTag {
  label: Tag;
  at: Pixels;
  size: number[];
  center: number[];
  radius?: number;
  stays?: boolean;
}

/** A circle on which an angle is drawn. */
interface Circle {
  axis: number;
  radius: number;
  at: (angle: number) => Vector;
}

/** The turns of a frame as they are drawn: its axes before each turn and after all, and the circles of the angles. */
interface DrawnTurns {
  stages: Vector[][];
  now: Vector[];
  origin: Vector;
  length: number;
  angles: Vector;
  circles: Circle[];
  isStaged: boolean;
  last: number;
}

type MakeTags = typeof import("./drawing/staged_tags.js").makeStagedTags;

// --- Controls

interface Plot {
  title: string;
  subtitle: string;
  unit: string;
  note: string;
  decimals: number | null;
  most: number | null;
  zero: number[];
  curves: { name: string; color: string; dash: number[] }[];  // lengths of dashes and gaps in turn
  sources: PlotSource[] | null;
  start: number;
  stop: number;
  count: number;
  values?: PackedArray;
}

/** How a page computes a signal of a plot. */
interface PlotSource {
  kind: string;
  rows: [number, number, number];
  sequence: Sequence;
  factor: number;
  formula: string;  // of parts of the relation of the frames; empty for its own values
  parts: [number, number][];  // where the arguments of the formula stand in the relation
  columns: number[];
  isExact: boolean;
  isOwn: boolean;
}

/** Controls that only some pages have, by the functions that make them. */
interface Parts {
  makeSliders: typeof import("./controls/sliders.js").makeSliders | null;
  makeGrab: typeof import("./controls/grab.js").makeGrab | null;
  makeStaged: typeof import("./controls/staged.js").makeStaged | null;
  makeStagedTags: MakeTags | null;
  makeMessages: typeof import("./controls/messages.js").makeMessages | null;
}

type Grab = ReturnType<typeof import("./controls/grab.js").makeGrab>;

/** What a page around this one may ask for. */
interface PageFace {
  time(): number;
  seek(time: number): void;
  play(from: number, speed: number): void;
  restore(state: string): void;
  state(): string;
  setParameter(name: string, value: number): void;
  select(frame: string, relative: string | null, resolved: string | null): void;
  setCamera(camera: Pick<Camera, "position" | "focal" | "up"> | null): void;
  choose(name: string): void;
  plots(): { title: string; isComputed: boolean; times: number[]; curves: number[][] }[];
  show(names: string[], isByHand: boolean): void;
  setTheme(name: string): void;
  turn(name: string, sequence: Sequence, angles: Vector): void;
  turned?: () => void;  // called after the reader has turned a frame
  orientation(name: string, relative: string): Matrix;
}

interface Window {
  framescope?: PageFace;
}
