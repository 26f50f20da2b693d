// Types of the data that the page of a lesson holds, as `page.py` and `answer_keys.py` write them.

interface LessonFile {
  steps: LessonStep[];
  packed: string;
  followsScheme: boolean;
  hosts: string[];
}

interface LessonStep {
  title: string;
  html: string;
  scene: number;
  time: number;
  state: string;
  choose: string;
  play: { to: number; speed: number } | null;
  hasPlots: boolean;
  question: AnyKey | null;
}

/** Pages of the scenes, and the texts that they share. */
interface LessonContents {
  pages: string[];
  blobs: string[];
}

/** What every key of a question has; texts are HTML that the program makes. */
interface QuestionKey {
  ask: string;
  hints: string[];
  ifRight: string;
  ifWrong: string;
}

interface ChoiceKey extends QuestionKey {
  form: "choose";
  options: { text: string; right: boolean; reply: string }[];
}

interface NumberKey extends QuestionKey {
  form: "number";
  value: number;
  unit: string;
  tolerance: number;
  units: { factors: Record<string, number>; spellings: Record<string, string> } | null;
  thoughts: { name: string; says: string; value: number; within: number; period: number | null }[];
}

/** A question that is answered by turning something in the scene. */
interface HandKey extends QuestionKey {
  frame: string;
  parent: string;
  sequence: string;
  angles: number[];
  from: number;
  at?: number | null;
  tolerance: number;
  right: number[];
}

interface TurnKey extends HandKey {
  form: "turn";
  limits: { close: number; fits: number; same: number };
  thoughts: { name: string; says: string; R: number[] }[];
}

interface PointKey extends HandKey {
  form: "point";
  eitherWay: boolean;
  limits: { fits: number; same: number };
  thoughts: { name: string; says: string; v: number[] }[];
}

interface SketchKey extends QuestionKey {
  form: "sketch";
  start: number;
  end: number;
  low: number;
  high: number;
  unit: string;
  ticks: { values: Tick[]; times: Tick[] };
  tolerance: number;
  right: number[];
  thoughts: { name: string; says: string; values: number[] }[];
}

interface Tick {
  at: number;
  label: string;
}

type AnyKey = ChoiceKey | NumberKey | TurnKey | PointKey | SketchKey;

interface Fault {
  name: string;
  text: string;
}

interface Verdict {
  isRight: boolean;
  text: string;
  misconceptions: string[];
}

/** The form of an answer. */
interface AnswerForm {
  isThere(): boolean;
  judge(): Verdict;
  show(): string | void;
  after?(): void;
  set?(values: number[]): void;
}

interface Window {
  lesson: {
    go(number: number): void;
    step(): number;
    isAnswered(): boolean;
    field(): AnswerForm | null;
    scene(): PageFace | undefined;
  };
  judges: Record<string, (key: any, answer: any) => Verdict>;
}
