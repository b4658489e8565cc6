// types.ts: what travels between the server and the page (docs/formats.md), and who listens on the page.

export type Point = [number, number];
export type Ring = Point[];

export interface Goal {
  name: string;
  kind?: string;
  polygon?: Ring;
  point?: Point;
  radius?: number;
  exit?: boolean;
  closed?: boolean;
}
export interface Named {
  name: string;
  points?: Ring;
  polygon?: Ring;
  ring?: Ring;
  speed_factor?: number;
}
export interface Obstacle extends Named {
  movable?: boolean;
  closed?: boolean;
  gone?: boolean;
}
export interface Group {
  name: string;
  model?: string;
  people?: number;
  params?: Values;
  habits?: Values;
}
export interface ThingShape {
  name?: string;
  height?: number;
  fixed?: boolean;
  parts: { disc?: [number, number, number]; ring?: Ring }[];
}
export type Value = number | string | boolean;
export type Values = Record<string, Value>;

export interface Scene {
  run: number;
  name: string;
  title?: string;
  description?: string;
  live: boolean;
  model: string;
  models?: string[];
  seed?: number;
  dt?: number;
  duration?: number;
  times?: [number, number];
  bounds: [number, number, number, number];
  open?: boolean; // no walls around: the rings are obstacles
  walls?: Ring[][];
  thin?: Ring[];
  obstacles?: Obstacle[];
  goals?: Goal[];
  zones?: Named[];
  lines?: Named[];
  areas?: Named[];
  groups?: Group[];
  quantities?: { name: string; unit?: string; help?: string }[];
  cell?: number; // m, of a model's grid
  ways?: string[]; // of exported files: goals whose ways are known
  things?: ThingShape[];
  events?: { time: number; text: string }[];
  settings?: { model?: string; params?: Values; habits?: Values };
  periodic?: { x?: Point; y?: Point };
}

export interface Status {
  run: number;
  state: "preparing" | "running" | "paused" | "ended" | "failed";
  progress?: number;
  time: number;
  factor?: number;
  speed?: number;
  ms_per_step?: number;
  inside?: number;
  left?: number;
  digest?: string; // of a run that stands
  message?: string;
}

export interface ChartRow {
  run: number;
  time: number;
  inside?: number;
  left?: number;
  flow?: Record<string, number>;
  passed?: Record<string, number>;
  mean_speed?: number;
  density_max?: number;
  overlaps?: number;
  ms_per_step?: number;
}

export interface Note {
  line?: number;
  column?: number;
  severity?: string;
  text: string;
  x?: number;
  y?: number;
}

export interface Person {
  id: number;
  group?: string;
  model?: string;
  goal?: string;
  x: number;
  y: number;
  vx?: number;
  vy?: number;
  wish?: Point;
  desired_speed?: number;
  radius?: number;
  held_for?: number;
  quantities?: Record<string, number | Point>;
  neighbours?: number[];
  run?: number;
}

/** Directions to a goal on a grid, rows from below: 256ths of a turn, -1 where there is no way. */
export interface Field {
  run?: number;
  goal: string;
  from: Point;
  step: number;
  columns: number;
  headings: number[];
}

export interface Parameter {
  name: string;
  unit: string;
  kind: "number" | "whole" | "bool" | "choice";
  low: number | null;
  high: number | null;
  default: Value;
  words: string[];
  help: string;
  source?: string;
}
export interface Model {
  name: string;
  title: string;
  citation?: string;
  parameters: Parameter[];
  habits?: Parameter[];
}
export interface Card {
  name: string;
  title?: string;
  group?: string;
  figure?: string;
  label?: string;
  people?: number;
  model?: string;
  description?: string;
}

export type Command = { do: string } & Record<string, unknown>;
export type LinkState = "connecting" | "open" | "lost" | "file";

/** Where runs come from: the server, a worker of this page, or the recording inside this very file. */
export interface Link {
  readonly live: boolean;
  send(command: Command): void;
  /** Asks for a list, or gives a file. */
  request(path: string, values?: Record<string, string>, body?: Blob): Promise<Response>;
  /** Whether there are moments of built-in scenes, for pictures; and one of them. */
  readonly hasMoments: boolean;
  moment(scene: string): Promise<ArrayBuffer>;
}
export interface Listener {
  state(state: LinkState): void;
  message(message: { type: string } & Record<string, unknown>): void;
  frame(frame: Frame): void;
}

/** A quantity of everybody in an exported frame: bytes between the ends, or a vector in units. */
export type Column = { low: number; high: number; bytes: Uint8Array } | { unit: number; x: Int16Array; y: Int16Array };

/** One moment of one run, as columns; positions are millimetres from the origin. */
export interface Frame {
  run: number;
  number: number;
  time: number;
  n: number;
  originX: number;
  originY: number;
  low: number;
  high: number;
  newPeople: boolean;
  ids: Uint32Array;
  x: Int32Array;
  y: Int32Array;
  heading: Uint8Array;
  speed: Uint8Array;
  value?: Uint8Array;
  layer?: Uint8Array; // of an overlay, between the ends
  layerLow?: number;
  layerHigh?: number;
  arrowX?: Int16Array; // in units of `arrowUnit`
  arrowY?: Int16Array;
  arrowUnit?: number;
  columns?: Map<string, Column>; // in exported files
  radius: Uint16Array;
  group: Uint8Array;
  model: Uint8Array;
  things: { x: number; y: number; angle: number; shape: number }[];
}
