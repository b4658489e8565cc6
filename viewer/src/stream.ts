// stream.ts: where frames come from. One decoder reads what the live server sends, what it replays and what an exported
// file has inside; `Server` keeps the socket, `Enclosed` plays the recording inside the page itself.

import type { ChartRow, Column, Command, Field, Frame, Link, Listener, Model, Scene } from "./types";

const IDS = 1, DETAILS = 2, DIFFERENCES = 4, VALUES = 8, NO_MOTION = 16, LAYER = 32, ARROWS = 64;

/** Reads a frame; one with differences, or without ids or details, needs the frame before it. */
export function decodeFrame(buffer: ArrayBuffer, last?: Frame): Frame {
  const view = new DataView(buffer);
  if (buffer.byteLength < 48 || view.getUint32(0, true) !== 0x31524654) throw new Error("this is no frame");
  const flags = view.getUint8(4), n = view.getUint32(12, true), thingCount = view.getUint16(6, true);
  let at = 48;
  const take = (bytes: number) => {
    const from = at;
    at += (bytes + 3) & ~3;
    if (from + bytes > buffer.byteLength) throw new Error("a frame cut short");
    return from;
  };
  const bytes = () => new Uint8Array(buffer, take(n), n);
  const differences = (flags & DIFFERENCES) !== 0, details = (flags & DETAILS) !== 0;
  if (!(flags & IDS) && n > 0 && last?.n !== n) throw new Error("a frame without the one before it");
  if (differences && !last) throw new Error("differences without the frame before them");
  const ids = flags & IDS ? new Uint32Array(buffer, take(4 * n), n) : last?.ids ?? new Uint32Array(0);
  const rows = flags & IDS && last && (differences || !details || flags & NO_MOTION) ? rowsOf(ids, last) : undefined;
  const before = (i: number) => (rows ? rows[i] : last ? i : -1);
  const axis = (old: Int32Array | undefined) => {
    if (!differences) return new Int32Array(buffer, take(4 * n), n);
    const step = new Int16Array(buffer, take(2 * n), n), now = new Int32Array(n);
    for (let i = 0; i < n; i++) now[i] = before(i) < 0 ? 0 : old![before(i)] + step[i];
    return now;
  };
  const x = axis(last?.x), y = axis(last?.y);
  // Newcomers among differences say where they are.
  for (let i = 0; differences && rows && i < n; i++)
    if (rows[i] < 0) {
      const p = take(8);
      x[i] = view.getInt32(p, true);
      y[i] = view.getInt32(p + 4, true);
    }
  const time = view.getFloat64(16, true);
  let heading: Uint8Array, speed: Uint8Array;
  if (flags & NO_MOTION) [heading, speed] = motion(x, y, n, last, before, time);
  else (heading = bytes()), (speed = bytes());
  const value = flags & VALUES ? bytes() : undefined;
  const ends = flags & LAYER ? take(8) : 0, layer = flags & LAYER ? bytes() : undefined;
  const unit = flags & ARROWS ? take(4) : 0, words = () => new Int16Array(buffer, take(2 * n), n);
  const [arrowX, arrowY] = flags & ARROWS ? [words(), words()] : [];
  const carried = <T extends Uint8Array | Uint16Array>(made: T, old: T | undefined) => {
    for (let i = 0; old && i < n; i++) if (before(i) >= 0) made[i] = old[before(i)];
    return made;
  };
  const radius = details ? new Uint16Array(buffer, take(2 * n), n) : !rows && last ? last.radius : carried(new Uint16Array(n).fill(200), last?.radius);
  const group = details ? bytes() : !rows && last ? last.group : carried(new Uint8Array(n), last?.group);
  const model = details ? bytes() : !rows && last ? last.model : carried(new Uint8Array(n), last?.model);
  const things = [];
  for (let i = 0; i < thingCount; i++) {
    const p = take(12);
    things.push({
      x: view.getInt32(p, true), y: view.getInt32(p + 4, true),
      angle: (view.getUint16(p + 8, true) / 65536) * 2 * Math.PI, shape: view.getUint16(p + 10, true),
    });
  }
  return {
    run: view.getUint8(5), number: view.getUint32(8, true), time, n,
    originX: view.getFloat64(24, true), originY: view.getFloat64(32, true),
    low: view.getFloat32(40, true), high: view.getFloat32(44, true),
    newPeople: (flags & (IDS | DETAILS)) !== 0, ids, x, y, heading, speed, value, radius, group, model, things,
    layer, layerLow: layer && view.getFloat32(ends, true), layerHigh: layer && view.getFloat32(ends + 4, true), arrowX, arrowY, arrowUnit: arrowX && view.getFloat32(unit, true),
  };
}

/** For each person the row in the frame before, or -1. */
function rowsOf(ids: Uint32Array, last: Frame): Int32Array {
  const known = new Map<number, number>(), rows = new Int32Array(ids.length);
  last.ids.forEach((id, i) => known.set(id, i));
  for (let i = 0; i < ids.length; i++) rows[i] = known.get(ids[i]) ?? -1;
  return rows;
}

/** Heading and speed of people whose frame has none: from where they were before. Who stands keeps the heading. */
function motion(x: Int32Array, y: Int32Array, n: number, last: Frame | undefined, before: (i: number) => number, time: number): [Uint8Array, Uint8Array] {
  const heading = new Uint8Array(n), speed = new Uint8Array(n);
  for (let i = 0; last && i < n; i++) {
    const k = before(i);
    if (k < 0) continue;
    const dx = x[i] - last.x[k], dy = y[i] - last.y[k], v = Math.hypot(dx, dy) / 1000 / Math.max(1e-3, time - last.time);
    speed[i] = Math.min(255, Math.round(v / 0.02));
    heading[i] = v > 0.05 ? Math.round((Math.atan2(dy, dx) / (2 * Math.PI)) * 256) & 255 : last.heading[k];
  }
  return [heading, speed];
}

/** The socket to `throng view`; it connects again when it is lost. */
export class Server implements Link {
  readonly live = true;
  private socket?: WebSocket;
  private last: (Frame | undefined)[] = [];
  private waiting: Command[] = [];
  private pause = 300;

  constructor(private listener: Listener) {
    this.connect();
  }
  private connect() {
    this.listener.state(this.last.length ? "lost" : "connecting");
    const address = new URL("live" + location.search, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.socket = new WebSocket(address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.pause = 300;
      this.last = [undefined];
      this.listener.state("open");
      this.waiting.splice(0).forEach((c) => this.send(c));
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.listener.message(JSON.parse(event.data));
      else this.take(event.data);
    };
    socket.onclose = () => {
      this.listener.state("lost");
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(4000, this.pause * 1.6);
    };
  }
  private take(buffer: ArrayBuffer) {
    try {
      const run = new Uint8Array(buffer)[5];
      const frame = decodeFrame(buffer, this.last[run]);
      this.last[run] = frame;
      this.listener.frame(frame);
    } catch (fault) {
      console.warn(`a frame was left out: ${(fault as Error).message}`);
    }
  }
  private at(path: string, values: Record<string, string> = {}): string {
    const at = new URL(path + location.search, location.href);
    for (const [name, value] of Object.entries(values)) at.searchParams.set(name, value);
    return at.href;
  }
  request(path: string, values?: Record<string, string>, body?: Blob): Promise<Response> {
    return fetch(this.at(path, values), body ? { method: "POST", body } : {});
  }
  readonly hasMoments = true;
  async moment(name: string): Promise<ArrayBuffer> {
    return bytesOf(await this.request("scene.bin", { name }));
  }
  send(command: Command) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
    else if (this.waiting.length < 100) this.waiting.push(command);
  }
}

/** What was answered, unpacked if need be: some servers do so on the way. */
export async function bytesOf(answer: Response): Promise<ArrayBuffer> {
  if (!answer.ok) throw new Error(`${answer.url} cannot be fetched: ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  return new Uint8Array(bytes)[0] === 0x1f && new Uint8Array(bytes)[1] === 0x8b ? unpacked(bytes) : bytes;
}
export const unpacked = (bytes: BlobPart, how: CompressionFormat = "gzip") => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(how))).arrayBuffer();

export const fromBase64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** What `throng export` puts into the page: scenes and ways, each from some frame on, charts and frames. */
export interface Enclosure {
  scenes: { from: number; scene: Scene }[];
  ways: { from: number; field: Field }[];
  charts: ChartRow[];
  models: Model[];
  frames: Frame[];
}

/** A quantity of everybody in a frame, by its name in the scene; a vector of a recording is two there, and one here. */
function takeColumn(piece: ArrayBuffer, frame: Frame, scene: Scene) {
  const view = new DataView(piece), name = scene.quantities?.[view.getUint16(4, true)]?.name ?? "", { n } = frame, columns = (frame.columns ??= new Map<string, Column>());
  if (!view.getUint8(6)) columns.set(name, { low: view.getFloat32(8, true), high: view.getFloat32(12, true), bytes: new Uint8Array(piece, 16, n) });
  else columns.set(name.replace(/_x$/, ""), { unit: view.getFloat32(8, true), x: new Int16Array(piece, 12, n), y: new Int16Array(piece, 12 + ((2 * n + 3) & ~3), n) });
}

/** The pieces are frames, quantities of the frame before, or JSON objects that say what is so from there on. */
export async function openEnclosure(base64: string): Promise<Enclosure> {
  const plain = await unpacked(fromBase64(base64.trim()), "deflate");
  const view = new DataView(plain), made: Enclosure = { scenes: [], ways: [], charts: [], models: [], frames: [] }, { scenes, frames } = made;
  for (let at = 0; at + 4 <= plain.byteLength; ) {
    const length = view.getUint32(at, true), piece = plain.slice(at + 4, at + 4 + length), kind = length < 4 ? "" : String.fromCharCode(...new Uint8Array(piece, 0, 4));
    at += 4 + length;
    if (at > plain.byteLength) throw new Error("the recording in this file is cut short");
    if (kind === "TQT1") takeColumn(piece, frames[frames.length - 1], scenes[scenes.length - 1].scene);
    else if (kind[0] !== "{") frames.push(decodeFrame(piece, frames[frames.length - 1]));
    else {
      const told = JSON.parse(new TextDecoder().decode(piece)) as { scene?: Scene; charts?: ChartRow[]; models?: Model[]; field?: Field };
      if (told.scene) scenes.push({ from: frames.length, scene: told.scene });
      if (told.field) made.ways.push({ from: frames.length, field: told.field });
      if (told.charts) made.charts = told.charts;
      if (told.models) made.models = told.models;
    }
  }
  if (!scenes.length || !frames.length) throw new Error("there is no run inside");
  return made;
}

/** Plays an enclosure and answers the commands of playing as the server would. */
export class Enclosed implements Link {
  readonly live = false;
  private time: number;
  private speed = 1;
  private playing = true;
  private shown = -1;
  private clock = performance.now();
  private wanted: Record<"colour" | "layer" | "arrows", string | null> = { colour: null, layer: null, arrows: null };

  constructor(private what: Enclosure, private listener: Listener) {
    this.time = what.frames[0]?.time ?? 0;
    listener.state("file");
    this.tellScene(0);
    listener.message({ type: "charts", run: 0, rows: what.charts });
    setInterval(() => this.tick(), 1000 / 60);
    setInterval(() => this.status(), 250);
  }
  private get end() {
    return this.what.frames[this.what.frames.length - 1]?.time ?? 0;
  }
  private told = -1;
  /** Tells the scene that is so at a frame, when it is another one. */
  private tellScene(index: number) {
    let k = 0;
    while (k + 1 < this.what.scenes.length && this.what.scenes[k + 1].from <= index) k++;
    if (k === this.told) return;
    this.told = k;
    const { scene } = this.what.scenes[k], { columns } = this.what.frames[0], ways = [...new Set(this.what.ways.map((w) => w.field.goal))];
    const quantities = scene.quantities?.filter((q) => columns?.has(q.name) || columns?.has(q.name.replace(/_[xy]$/, "")));
    this.listener.message({ ...scene, quantities, ways, type: "scene", run: 0, live: false, times: [this.what.frames[0].time, this.end] });
  }
  /** Everybody's value of a quantity, of a vector its length or a component; NaN where it is not known. */
  private values(frame: Frame, name: string): Float32Array | undefined {
    const column = frame.columns?.get(name), component = /_[xy]$/.exec(name)?.[0], vector = column ?? frame.columns?.get(name.replace(/_[xy]$/, ""));
    if (!vector) return undefined;
    if ("bytes" in vector) return Float32Array.from(vector.bytes, (b) => (b === 255 ? NaN : vector.low + (b / 254) * (vector.high - vector.low)));
    return Float32Array.from(vector.x, (x, i) => vector.unit * (!column && component === "_x" ? x : !column && component === "_y" ? vector.y[i] : Math.hypot(x, vector.y[i])));
  }
  private ends = new Map<string, [number, number]>();
  /** The ends of a quantity's scale in all frames. */
  private endsOf(name: string): [number, number] {
    const known = this.ends.get(name);
    if (known) return known;
    let low = 0, high = 0;
    for (const frame of this.what.frames) for (const v of this.values(frame, name) ?? []) v < low ? (low = v) : v > high && (high = v);
    const found: [number, number] = [low, high > low ? high : low + 1];
    this.ends.set(name, found);
    return found;
  }
  /** The frame with what it was asked to have. */
  private dressed(frame: Frame): Frame {
    const { colour, layer, arrows } = this.wanted, made = { ...frame };
    const bytes = (name: string | null): [Uint8Array, number, number] | undefined => {
      const values = name && this.values(frame, name), [low, high] = name ? this.endsOf(name) : [0, 1];
      return values ? [Uint8Array.from(values, (v) => (Number.isNaN(v) ? 255 : Math.round((254 * (v - low)) / (high - low)))), low, high] : undefined;
    };
    [made.value, made.low, made.high] = bytes(colour) ?? [undefined, 0, 1];
    [made.layer, made.layerLow, made.layerHigh] = bytes(layer) ?? [];
    const vector = arrows ? frame.columns?.get(arrows) : undefined;
    if (vector && "x" in vector) (made.arrowX = vector.x), (made.arrowY = vector.y), (made.arrowUnit = vector.unit);
    return made;
  }
  private askField(goal: unknown) {
    const known = this.what.ways.filter((w) => w.field.goal === goal && w.from <= Math.max(0, this.shown));
    if (known.length) this.listener.message({ ...known[known.length - 1].field, type: "field", run: 0 });
  }
  private askPerson(id: unknown) {
    const frame = this.what.frames[Math.max(0, this.shown)], scene = this.what.scenes[Math.max(0, this.told)].scene, i = frame.ids.indexOf(Number(id));
    if (i < 0) return;
    const angle = (frame.heading[i] / 128) * Math.PI, speed = frame.speed[i] * 0.02, quantities: Record<string, number> = {};
    for (const q of scene.quantities ?? []) {
      const value = this.values(frame, q.name)?.[i];
      if (value !== undefined && !Number.isNaN(value)) quantities[q.name] = value;
    }
    this.listener.message({
      type: "person", run: 0, id, x: frame.x[i] / 1000 + frame.originX, y: frame.y[i] / 1000 + frame.originY, vx: speed * Math.cos(angle), vy: speed * Math.sin(angle),
      radius: frame.radius[i] / 1000, group: scene.groups?.[frame.group[i]]?.name, model: scene.models?.[frame.model[i]], quantities,
    });
  }
  private status() {
    const frame = this.what.frames[Math.max(0, this.shown)];
    this.listener.message({
      type: "status", run: 0, state: this.time >= this.end ? "ended" : this.playing ? "running" : "paused", time: this.time,
      factor: this.playing ? this.speed : 0, speed: this.speed, inside: frame?.n, left: this.left(),
    });
  }
  private left(): number | undefined {
    const after = this.what.charts.findIndex((r) => r.time > this.time + 1e-9);
    return this.what.charts[(after < 0 ? this.what.charts.length : after) - 1]?.left;
  }
  private show(index: number) {
    const frame = this.what.frames[index];
    if (!frame || index === this.shown) return;
    const next = index === this.shown + 1;
    this.shown = index;
    this.tellScene(index);
    this.listener.frame(next ? this.dressed(frame) : { ...this.dressed(frame), newPeople: true });
  }
  private tick() {
    const now = performance.now(), passed = Math.min(0.25, (now - this.clock) / 1000);
    this.clock = now;
    if (!this.playing) return;
    this.time = Math.min(this.end, this.time + passed * this.speed);
    const frames = this.what.frames;
    let index = Math.max(0, this.shown);
    if (index >= frames.length || frames[index].time > this.time) index = 0;
    while (index + 1 < frames.length && frames[index + 1].time <= this.time) index++;
    this.show(index);
    if (this.time >= this.end) this.playing = false;
  }
  async request(): Promise<Response> {
    return new Response("an exported recording has nothing else inside", { status: 404 });
  }
  readonly hasMoments = false;
  async moment(): Promise<ArrayBuffer> {
    throw new Error("there are none");
  }
  private go(time: number) {
    this.time = Math.max(this.what.frames[0]?.time ?? 0, Math.min(this.end, time));
    let index = 0;
    while (index + 1 < this.what.frames.length && this.what.frames[index + 1].time <= this.time + 1e-9) index++;
    this.show(index);
  }
  send(command: Command) {
    if (command.do === "play") {
      if (this.time >= this.end) this.go(-Infinity);
      this.playing = true;
    } else if (command.do === "pause") this.playing = false;
    else if (command.do === "restart") this.go(-Infinity), (this.playing = true);
    else if (command.do === "speed") this.speed = Number(command.factor);
    else if (command.do === "seek") this.go(Number(command.time));
    else if (command.do === "step") {
      this.playing = false;
      this.go(this.what.frames[Math.max(0, Math.min(this.what.frames.length - 1, this.shown + Number(command.by ?? 1)))].time);
    } else if (command.do === "colour" || command.do === "layer" || command.do === "arrows") {
      this.wanted[command.do] = (command.quantity as string | null) ?? null;
      const shown = Math.max(0, this.shown);
      this.shown = -1;
      return this.show(shown);
    } else if (command.do === "field") return this.askField(command.goal);
    else if (command.do === "ask") return this.askPerson(command.person);
    else return;
    this.status();
  }
}
